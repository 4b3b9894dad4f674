import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PlacardError } from '../domain/errors.ts';
import type { ReadinessCheck } from '../http/shared/health.ts';
import type { Route } from '../http/shared/route.ts';
import { ClockSkew } from './clock-skew.ts';
import type { NodePart } from './cluster-deps.ts';

/**
 * Whether this process may serve: not while its node differs from the cluster. The last verdict is on disk, so that a restart without
 * PostgreSQL begins with it; a node that was never compared serves (ADR 0032).
 */
export class ClusterGate {
  readonly #path: string;
  #problems: readonly string[];
  /** As the file has them; null: not known. */
  #stored: readonly string[] | null = null;
  #isCompared = false;
  readonly clock = new ClockSkew();

  /** A part keeps a verdict of its own: the core compares more secrets than delivery. */
  constructor(dataDir: string, part: NodePart) {
    this.#path = join(dataDir, 'run', `cluster-problems-${part}.json`);
    this.#problems = readProblems(this.#path);
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get isOpen(): boolean {
    return this.#problems.length === 0;
  }

  /** Sets the verdict. Returns whether it has changed. */
  decide(problems: readonly string[]): boolean {
    const hasChanged = !this.#isCompared || !isSame(problems, this.#problems);
    this.#isCompared = true;
    this.#problems = problems;
    return hasChanged;
  }

  /** Stores the verdict, unless the disk has it. @throws Error when the disk is full; the next call tries again */
  store(): void {
    if (this.#stored !== null && isSame(this.#stored, this.#problems)) return;
    this.#write();
    this.#stored = this.#problems;
  }

  /** @throws PlacardError `unavailable` while the node differs */
  requireOpen(): void {
    if (!this.isOpen)
      throw new PlacardError(
        'unavailable',
        'This node differs from the rest of its cluster, so it serves nothing; its operator sees why in /readyz.',
      );
  }

  /** The same routes, closed while the node differs. */
  guard(routes: readonly Route[]): Route[] {
    return routes.map((route) => ({
      ...route,
      handler: (request) => {
        if (!this.isOpen) this.requireOpen();
        return route.handler(request);
      },
    }));
  }

  checks(): ReadinessCheck[] {
    const cluster = this.isOpen ? { ok: true } : { ok: false, detail: this.#problems.join('; ') };
    return [{ name: 'cluster', ...cluster }, this.clock.readiness()];
  }

  #write(): void {
    if (this.#problems.length === 0) {
      rmSync(this.#path, { force: true });
      return;
    }
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    writeFileSync(this.#path, JSON.stringify(this.#problems), { mode: 0o600 });
  }
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}

function readProblems(path: string): readonly string[] {
  try {
    const value = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return [];
  }
}
