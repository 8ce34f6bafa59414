/**
 * Calls `onLate` when the time is up, unless the returned function is called first. If the process could not run for longer than
 * that, because it was busy or the machine was suspended, it first processes what has arrived in the meantime.
 */
export function startDeadline(milliseconds: number, onLate: () => void): () => void {
  let timer = setTimeout(() => {
    // After a callback, the event loop runs the timers that are due before it reads from sockets again. A timer that is started now
    // runs after that.
    timer = setTimeout(onLate, 0);
  }, milliseconds);
  return () => clearTimeout(timer);
}
