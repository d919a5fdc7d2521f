/**
 * For a connection that holds a lock: a machine that is cut off cannot give it back, and by itself the database asks after
 * two hours whether anybody is there. Without effect on a unix socket.
 */
export const noticeLoss =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3'
