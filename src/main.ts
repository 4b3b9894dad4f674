import { fileURLToPath } from 'node:url';

/** The program: `placard <command>`, and, forked by `placard serve`, one of its parts. */
const args = process.argv.slice(2);

// A child has a channel to the supervisor that forked it; started by hand it is an unknown command.
if (args[0] === 'child' && process.send !== undefined) {
  const { parseChildArguments, runChild } = await import('./runtime/supervisor/run-child.ts');
  const { role, slot } = parseChildArguments(args);
  // Loaded when the part starts, and only its own: a worker that was killed is back the sooner the less it loads.
  runChild(role, slot, {
    core: async (context) => (await import('./runtime/compose/core.ts')).runCore(context),
    delivery: async (context) => (await import('./runtime/compose/delivery.ts')).runDelivery(context),
    analytics: async (context) => (await import('./runtime/supervisor/analytics-part.ts')).runAnalyticsPart(context),
  });
} else {
  const { runProgram } = await import('./cli/program.ts');
  // "placard … | head": a reader that has seen enough is no error.
  process.stdout.on('error', () => undefined);
  const exitCode = await runProgram(args, fileURLToPath(import.meta.url));
  if (exitCode !== 0) process.exitCode = exitCode;
  // Whatever a command has left open must not keep the program running; what it has written is flushed first.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit();
}
