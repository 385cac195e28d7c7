import { WIRE_NAME } from '@svc/contract/tables/wire-name.ts';
import type { PlatformKeys } from '../sealed/platform-key.ts';
import { encodeHeader, signCompactJws } from './compact-jws.ts';

/** Signs the list of the files of a deployment bundle, as a compact JWS by the platform's signing key. */
export const signBundleManifest = (keys: PlatformKeys, manifest: object): string =>
  signCompactJws(encodeHeader(`${WIRE_NAME}-bundle+jws`, keys.signing.kid), manifest, keys.signing.privateKey);
