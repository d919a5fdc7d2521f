import { totalmem } from 'node:os'

/** Passed on the command line at every start, so that an old data folder never keeps old settings. */
export function serverSettings(options: { socketFolder: string; durable: boolean }): Record<string, string> {
  return {
    listen_addresses: '',
    port: '5432',
    unix_socket_directories: `"${options.socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '200',
    shared_buffers: `${pageCacheMegabytes()}MB`,
    ...planning,
    timezone: 'UTC',
    ...logging,
    ...(options.durable ? {} : notDurable),
  }
}

/** Memory is only used as pages are read. The maximum is enough for the index of a million certificates. */
const pageCacheMegabytes = (): number => {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
  return Math.min(512, Math.max(128, Math.floor(bytes / 8 / 1_048_576)))
}

/**
 * With the defaults, the first minute of a fresh installation is planned with the statistics of empty tables, and statements
 * that should use an index read whole tables.
 */
const planning = {
  autovacuum_naptime: '10s',
  // No disk that is sold today is so much slower at any place than at the next one.
  random_page_cost: '1.1',
}

/** The English line of the log shows when the server is ready. Statements and row values are not logged. */
const logging = {
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

const notDurable = {
  fsync: 'off',
  full_page_writes: 'off',
  synchronous_commit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Deleted with the data folder, even after kill -9.
  dynamic_shared_memory_type: 'mmap',
}
