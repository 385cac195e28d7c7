/** Name of the environment variable by which a process of the runner knows after how many seconds it has to have ended. */
export const FILE_SECONDS = 'TEST_FILE_SECONDS';

/** What sees to that, to be imported before anything else. */
export const endHanging = new URL('./end-hanging.ts', import.meta.url).href;
