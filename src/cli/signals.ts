import { Socket } from "node:net";

/** The exit status of a process that a signal ended. */
const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const handlers = Object.entries(SIGNAL_STATUS).map(
  ([signal, status]) => [signal, () => process.exit(status)] as const,
);

/** Exits on signals: incomplete files are removed on exit, and worker threads end with the process. */
export function exitOnSignals(): void {
  for (const [signal, exit] of handlers) process.on(signal, exit);
}

/**
 * For services, before they do anything: SIGHUP does not end them while they start, and SIGUSR1 never opens Node's
 * debugger, at which every user of the machine could run what he likes as the service.
 *
 * @returns whether SIGHUP has come so far
 */
export function beginService(): () => boolean {
  let isAsked = false;
  process.on("SIGUSR1", () => undefined);
  process.on("SIGHUP", () => (isAsked = true));
  for (const [signal, exit] of handlers) if (signal === "SIGHUP") process.off(signal, exit);
  return () => isAsked;
}

/**
 * For services: the first signal asks for an orderly end, a second one of whatever kind ends the process at once, with
 * a sentence that says so. SIGHUP calls `reload`.
 */
export function onEndSignals(end: () => void, atOnce: string, reload: () => void): void {
  let isEnding = false;
  const endOnce = (exit: () => void): void => {
    if (isEnding) {
      process.stderr.write(`${atOnce}\n`);
      exit();
    }
    isEnding = true;
    end();
  };
  for (const [signal, exit] of handlers) {
    // Before the other one goes: with none for a moment, Node would drop a signal that has come and was not handled yet.
    process.on(signal, signal === "SIGHUP" ? reload : () => endOnce(exit));
    process.off(signal, exit);
  }
}

/**
 * Runs a function that blocks the event loop and writes nothing. Meanwhile a signal ends the process in the default
 * way.
 */
export function endedBySignals<T>(run: () => T): T {
  for (const [signal, exit] of handlers) process.off(signal, exit);
  try {
    return run();
  } finally {
    exitOnSignals();
  }
}

/**
 * Ends this process as SIGTERM does when the one that started it is gone: bin/croft.js on an older Node.js starts a newer
 * one, and passes signals on as long as it lives.
 */
export function endWithLauncher(): void {
  const pipe = process.env["CROFT_LAUNCHER_PIPE"];
  delete process.env["CROFT_LAUNCHER_PIPE"];
  if (pipe !== "3") return;
  const launcher = new Socket({ fd: 3, readable: true, writable: false });
  launcher.on("error", () => undefined).on("close", () => process.kill(process.pid, "SIGTERM"));
  launcher.resume();
  launcher.unref();
}
