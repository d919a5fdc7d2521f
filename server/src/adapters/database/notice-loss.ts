/**
 * For a connection that holds a lock. A machine that lost its network cannot release the lock, and by default the database
 * notices the dead connection only after two hours. No effect on a unix socket.
 */
export const noticeLoss =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'

export const statementTimeoutMs = 30_000
/** For a server that does not answer at all, for example because the network drops everything. Its own timeout comes first. */
export const answerTimeoutMs = 35_000
