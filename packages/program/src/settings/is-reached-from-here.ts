import type { SettingName } from '@svc/contract/tables/settings.ts';
import type { Value } from './parse-setting.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1|\[::1\])$/i;

/** Returns true if the control plane can be reached from this machine only: not directly by others, and not through a reverse proxy. */
export const isReachedFromHere = (read: (name: SettingName) => Value): boolean => {
  const baseUrl = read('SVC_BASE_URL');
  return (
    LOOPBACK.test(String(read('HOST'))) &&
    read('SVC_TRUST_PROXY') !== true &&
    (typeof baseUrl !== 'string' || LOOPBACK.test(new URL(baseUrl).hostname))
  );
};
