import { SETTINGS } from './limits.ts';
import { WATCH_SETTINGS } from './watching.ts';
import { SETTINGS_PREFIX } from './wire-name.ts';

/** Names that only one program reads, and that no other text of this package needs. */
const OTHERS = [
  'BASE_URL',
  'CONNECTIONS',
  'CONNECTIONS_PER_ADDRESS',
  'DATABASE_CONNECTIONS',
  'DATABASE_TIMEOUT_MS',
  'EGRESS_TIMEOUT_MS',
  'GATEWAY_URL',
  'LOG_FILE',
  'LOG_FILES',
  'LOG_FILE_MIB',
  'PASSPORT_DAYS',
  'RATE_ADDRESS_PER_MINUTE',
  'RATE_CONTROL_PLANE_PER_MINUTE',
  'RATE_GATEWAY_ACTIONS_PER_MINUTE',
  'RATE_GATEWAY_TOKEN_PER_MINUTE',
  'RATE_LOGIN_PER_MINUTE',
  'RATE_ORGANIZATION_ACTIONS_PER_MINUTE',
  'RATE_ORGANIZATION_PER_MINUTE',
  'SANDBOX_ORIGIN',
  'TRUST_PROXY',
] as const;

/** Every name of a setting. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.values(SETTINGS),
  ...Object.values(WATCH_SETTINGS),
  'LOG_LEVEL',
  ...OTHERS.map((name) => `${SETTINGS_PREFIX}${name}`),
];
