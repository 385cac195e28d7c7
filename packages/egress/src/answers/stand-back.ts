import { constants, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread, so that decisions go first when there are fewer processors than busy threads:
 * on Linux niceness is per thread; elsewhere it would lower the whole plane's priority, so nothing is done there.
 */
export const lowerThreadPriority = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // If the system does not permit it, the thread keeps its priority.
    if ((error as { readonly code?: unknown }).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
};
