const SHOWN_CHARACTERS_MAX = 120;

type SystemError = Error & { readonly code: string; readonly path?: unknown };

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && 'syscall' in error;

const getPlace = ({ path }: SystemError): string => {
  if (typeof path !== 'string') return 'A file of the service';
  return path.length > SHOWN_CHARACTERS_MAX ? `${path.slice(0, SHOWN_CHARACTERS_MAX)}...` : path;
};

const OTHER_FOLDER = 'choose another folder with DATA_DIR';

const SENTENCES: Readonly<Record<string, (place: string) => string>> = {
  EACCES: (place) => `${place} is closed to you: start as the user it belongs to, give yourself the right to it, or ${OTHER_FOLDER}.`,
  EPERM: (place) => `${place} may not be changed by you: start as the user it belongs to, or ${OTHER_FOLDER}.`,
  EROFS: (place) => `${place} is on a disk that cannot be written: ${OTHER_FOLDER}.`,
  ENOSPC: (place) => `${place} cannot be written, since its disk is full: make room, or ${OTHER_FOLDER}.`,
  EDQUOT: (place) => `${place} cannot be written, since your share of its disk is used up: make room, or ${OTHER_FOLDER}.`,
  ENAMETOOLONG: (place) => `${place} is a longer name than this system takes: choose a shorter folder with DATA_DIR.`,
  ENOTDIR: (place) => `${place} cannot be there, since a folder above it is a file: ${OTHER_FOLDER}.`,
  EISDIR: (place) => `${place} is a folder where a file belongs: move it away, or ${OTHER_FOLDER}.`,
  ELOOP: (place) => `${place} is a link that leads to itself: mend it, or ${OTHER_FOLDER}.`,
  EMFILE: () => 'No more files may be opened: raise the limit of this shell with "ulimit -n 4096" and start again.',
  ENFILE: () => 'This machine can open no more files: end other programs, and start again.',
  EAGAIN: () => 'No more processes may be started: raise the limit of this shell with "ulimit -u", or end other programs, and start again.',
  ENOMEM: () => 'This machine has too little memory left: end other programs, and start again.',
};

/** Returns a sentence with the remedy for a failed system call; undefined for a bug. */
export const findSystemFault = (error: unknown): string | undefined => {
  if (!isSystemError(error) || !Object.hasOwn(SENTENCES, error.code)) return undefined;
  return SENTENCES[error.code]?.(getPlace(error));
};
