import { runSuite } from '../support/run-suite.ts';

runSuite('lens');
