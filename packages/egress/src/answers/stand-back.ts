import { constants, setPriority } from 'node:os';

/**
 * Lets decisions go first where there are fewer processors than threads at work: what this thread reads may wait. Called by the thread itself:
 * on Linux niceness belongs to whichever thread asks for it; elsewhere it would be the whole plane that stood back, so nothing is done there.
 */
export const standBack = (): void => {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // A system that keeps it to others has the thread read as fast as it decides.
    if ((error as { readonly code?: unknown }).code !== 'ERR_SYSTEM_ERROR') throw error;
  }
};
