import { SETTINGS } from './limits.ts';
import { SETTING_TABLE } from './settings.ts';

/** Every name of a setting: those that programs read, and those that only the interface names so far. */
export const SETTING_NAMES: readonly string[] = [...new Set([...Object.values(SETTINGS), ...Object.keys(SETTING_TABLE)])];
