import { decodeTime } from 'ulid';

const ULID = /^[a-z]+_([0-7][0-9A-HJKMNP-TV-Z]{25})$/;

/** Returns the creation time of an identifier in milliseconds; undefined if it contains none. */
export const timeOfId = (id: string): number | undefined => {
  const ulid = ULID.exec(id)?.[1];
  return ulid === undefined ? undefined : decodeTime(ulid);
};
