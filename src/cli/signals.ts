/** What a process that a signal ended leaves as its status. */
const SIGNAL_STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const handlers = Object.entries(SIGNAL_STATUS).map(
  ([signal, status]) => [signal, () => process.exit(status)] as const,
);

/** Whatever is half-written is removed when the process exits; worker threads end with it. */
export function exitOnSignals(): void {
  for (const [signal, exit] of handlers) process.on(signal, exit);
}

/** A service ends in good order: the first signal asks it to, a second one ends it at once. SIGHUP is not an end. */
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

/** Runs what comes back only when it is done, and writes nothing: a signal then ends the process as it would any. */
export function endedBySignals<T>(run: () => T): T {
  for (const [signal, exit] of handlers) process.off(signal, exit);
  try {
    return run();
  } finally {
    exitOnSignals();
  }
}
