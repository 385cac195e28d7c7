import path from 'node:path';

/** Where the pieces of one embedded database lie inside a data folder. */
export type DataLayout = {
  readonly dataDir: string;
  /** The cluster itself; owned by the account the server runs as, and the only folder beside the socket's whose owner is changed. */
  readonly cluster: string;
  /** Random password of the owner role, kept inside the cluster so that the two can never part. */
  readonly passwordFile: string;
  /** Folder of the unix socket, or a symbolic link to a shorter one. */
  readonly socket: string;
  /** Names the process that stops the server. */
  readonly claimFile: string;
  readonly logFile: string;
};

export const layOut = (dataDir: string): DataLayout => {
  const folder = path.resolve(dataDir);
  const cluster = path.join(folder, 'postgres');
  return {
    dataDir: folder,
    cluster,
    passwordFile: path.join(cluster, 'owner.password'),
    socket: path.join(folder, 'socket'),
    claimFile: path.join(folder, 'postgres.claim.json'),
    logFile: path.join(folder, 'postgres.log'),
  };
};
