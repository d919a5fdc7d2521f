/**
 * For a connection that holds a lock: a machine that is cut off cannot give it back, and by itself the database asks after
 * two hours whether anybody is there. Without effect on a unix socket.
 */
export const noticeLoss =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

export const statementTimeoutMs = 30_000
/** For a server that no longer answers at all, as where a silent network swallows everything; its own timeout comes first. */
export const answerTimeoutMs = 35_000
