/** Environment variable with the seconds after which a process of the runner must have ended. */
export const FILE_SECONDS = 'TEST_FILE_SECONDS';

/** Module that enforces it, to be imported first. */
export const endHanging = new URL('./end-hanging.ts', import.meta.url).href;
