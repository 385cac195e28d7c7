/** Defaults for a machine with two cores and little memory. Nothing here trades durability for speed. */
const defaults: Readonly<Record<string, string>> = {
  shared_buffers: '128MB',
  max_connections: '100',
  wal_buffers: '16MB',
  wal_compression: 'on',
  // Log files are recycled instead of filled with zeros again, which stalls every commit behind it.
  min_wal_size: '256MB',
  // Explicit, since a cluster with log files of one megabyte would otherwise start a checkpoint each 32 MB, every other second of a busy
  // hour.
  max_wal_size: '1GB',
  // Short statements on few cores: planning for parallel workers or JIT compilation costs more than it saves.
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'agent-governance',
  // A failing statement may contain a password; the error itself is still logged.
  log_min_error_statement: 'panic',
  // Written data goes to the disk continuously. Left to the checkpoint, all of it would go at once while every commit waits. Off on systems
  // without the call, like PostgreSQL's default.
  ...(process.platform === 'linux' ? { backend_flush_after: '256kB' } : {}),
  // Each write of the log is durable when it returns, instead of by a later call that waits for more than was written.
  ...(process.platform === 'linux' ? { wal_sync_method: 'open_datasync' } : {}),
  ...(process.platform === 'darwin' ? { wal_sync_method: 'fsync_writethrough' } : {}),
};

/** Settings that keep the promise that an acknowledged write survives a crash; asserted again on the running server. */
const durable: Readonly<Record<string, string>> = { fsync: 'on', full_page_writes: 'on', synchronous_commit: 'on' };

/** Returns the command line of the server: the defaults, then the caller's settings, then those that cannot be overridden. */
export const serverArguments = (cluster: string, socketFolder: string, port: number, own: Readonly<Record<string, string>>): string[] => {
  const settings = {
    ...defaults,
    ...durable,
    ...own,
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    port: String(port),
    password_encryption: 'scram-sha-256',
  };
  return ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
};
