import type { CliRequest } from '@svc/contract/people/cli.ts';
import { getAddressGroup } from '@svc/domain/people/auth/address-group.ts';
import type { CliRequestRow } from '@svc/postgres/people/cli/requests.ts';

/** Shows a request to the person who decides it. */
export const showRequest = (row: CliRequestRow, readerIp: string, userCode: string | null): CliRequest => ({
  request_id: row.id,
  flow: row.flow,
  user_code: userCode,
  client: { hostname: row.hostname, platform: row.platform, version: row.version },
  source_ip: row.source_ip,
  same_address: getAddressGroup(row.source_ip) === getAddressGroup(readerIp),
  created_at: row.created_at,
  expires_at: row.expires_at,
});
