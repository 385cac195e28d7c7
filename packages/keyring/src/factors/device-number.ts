import { randomInt } from 'node:crypto';

/** Returns the two digits that are shown on one device and typed on another. */
export const newDeviceNumber = (): number => randomInt(10, 100);
