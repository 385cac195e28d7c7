import path from 'node:path';

/** The paths of one embedded database inside a data folder. */
export type DataLayout = {
  readonly dataDir: string;
  /** The cluster itself; owned by the account of the server, and with the socket's the only folder whose owner is changed. */
  readonly cluster: string;
  /** Random password of the owner role, kept inside the cluster so that the two are always moved together. */
  readonly passwordFile: string;
  /** Folder of the unix socket, or a symbolic link to a shorter one. */
  readonly socket: string;
  /** Names the process that will stop the server. */
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
