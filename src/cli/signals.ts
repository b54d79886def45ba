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
 * For services: the first signal asks for an orderly end, a second one ends the process at once. SIGHUP calls
 * `reload`.
 */
export function onEndSignals(end: () => void, reload: () => void): void {
  for (const [signal, exit] of handlers) {
    process.off(signal, exit);
    if (signal === "SIGHUP") process.on(signal, reload);
    else
      process.once(signal, () => {
        process.on(signal, exit);
        end();
      });
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
