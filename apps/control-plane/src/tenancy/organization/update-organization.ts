import type { Endpoints } from '@svc/contract/endpoints.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import { readNetworks } from '@svc/domain/tenancy/organization/networks.ts';
import { readTimeZone } from '@svc/domain/tenancy/organization/time-zone.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { updateOrganization as update, type WantedSettings } from '@svc/operations/tenancy/organization/update-organization.ts';
import type { TenancyDeps } from '../deps.ts';

export const updateOrganization: Handler<Endpoints['updateOrganization'], TenancyDeps> = (call, deps) => {
  const { scope } = call;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  const { confirm_lockout: _confirmed, ...asked } = call.body;
  const time_zone = asked.time_zone === undefined ? undefined : readTimeZone(asked.time_zone);
  if (asked.time_zone !== undefined && time_zone === undefined)
    return call.fault('/time_zone', 'Must be the name of a time zone in the IANA database, such as Europe/Berlin.');
  if (asked.base_currency !== undefined && !CURRENCIES.has(asked.base_currency))
    return call.fault('/base_currency', 'Must be the ISO 4217 code of a currency in circulation.');
  const networks = asked.allowed_networks && readNetworks(asked.allowed_networks);
  if (networks !== undefined && 'fault' in networks) return call.fault(`/allowed_networks/${networks.index}`, networks.fault);
  const wanted: WantedSettings = { ...asked, time_zone, allowed_networks: networks && [...networks] };
  return call.change((change) =>
    update(
      change,
      {
        ...asActing(call),
        steppedUpUntil: call.caller.steppedUpUntil,
        body: call.body,
        amr: call.caller.amr,
        roleId: call.caller.roleId,
        sourceIp: call.sourceIp,
        newId: call.newId,
        organizationName: call.caller.organizationName,
      },
      wanted,
      deps,
    ),
  );
};
