import { fileURLToPath } from 'node:url';

/** The program: `placard <command>`, and, forked by `placard serve`, one of its parts. */
const args = process.argv.slice(2);

// A child has a channel to the supervisor that forked it; started by hand it is an unknown command.
if (args[0] === 'child' && process.send !== undefined) {
  const { parseChildArguments, runChild } = await import('./runtime/supervisor/run-child.ts');
  // Only its own part: a worker that was killed is back the sooner the less it loads.
  runChild(parseChildArguments(args), {
    core: async () => ({ run: (await import('./runtime/compose/core.ts')).runCore }),
    jobs: async () => ({ run: (await import('./runtime/compose/jobs.ts')).runJobs }),
    delivery: async () => (await import('./runtime/compose/delivery.ts')).deliveryCode,
    analytics: async () => ({ run: (await import('./runtime/supervisor/analytics-part.ts')).runAnalyticsPart }),
  });
} else {
  const { runProgram } = await import('./cli/program.ts');
  // "placard … | head": a reading process that closes the pipe early is not an error.
  process.stdout.on('error', () => undefined);
  const exitCode = await runProgram(args, fileURLToPath(import.meta.url));
  if (exitCode !== 0) process.exitCode = exitCode;
  // Handles that a command has left open must not keep the program running; its output is flushed first.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  process.exit();
}
