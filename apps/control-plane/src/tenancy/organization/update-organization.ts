import { isDeepStrictEqual } from 'node:util';
import { securityMembersOf } from '@svc/contract/automation.ts';
import { ENDPOINTS, type Endpoints } from '@svc/contract/endpoints.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import type { Organization } from '@svc/contract/tenancy/organization.ts';
import { readNetworks } from '@svc/domain/tenancy/organization/networks.ts';
import { readTimeZone } from '@svc/domain/tenancy/organization/time-zone.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { memberRefusal } from '@svc/operations/people/auth/member-refusal.ts';
import { mailSecurityChange } from '@svc/operations/people/mail/mail-owners.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockOrganization, updateOrganization as update } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';
import { lockoutRefusal } from './lockout/lockout-refusal.ts';

type Changeable = Pick<Organization, 'name' | 'require_mfa' | 'base_currency' | 'time_zone' | 'allowed_networks'>;
type Field = keyof Changeable;
type Asked = { readonly [Name in Field]?: Changeable[Name] | undefined };

/** The fields of the body that differ from what is stored, as they were and as they become. */
const differences = (stored: Changeable, asked: Asked) => {
  const fields = (Object.keys(asked) as Field[]).filter(
    (field) => asked[field] !== undefined && !isDeepStrictEqual(asked[field], stored[field]),
  );
  const pick = (from: object): Partial<Changeable> =>
    Object.fromEntries(Object.entries(from).filter(([field]) => fields.includes(field as Field)));
  return { before: pick(stored), after: pick(asked), fields };
};

const SECURITY = securityMembersOf(ENDPOINTS.updateOrganization);

export const updateOrganization: Handler<Endpoints['updateOrganization'], ControlDeps> = (call, deps) => {
  const { scope, now } = call;
  const { organization_id: id } = scope;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  const { confirm_lockout: _confirmed, ...asked } = call.body;
  const time_zone = asked.time_zone === undefined ? undefined : readTimeZone(asked.time_zone);
  if (asked.time_zone !== undefined && time_zone === undefined)
    return call.fault('/time_zone', 'Must be the name of a time zone in the IANA database, such as Europe/Berlin.');
  if (asked.base_currency !== undefined && !CURRENCIES.has(asked.base_currency))
    return call.fault('/base_currency', 'Must be the ISO 4217 code of a currency in circulation.');
  const networks = asked.allowed_networks && readNetworks(asked.allowed_networks);
  if (networks !== undefined && 'fault' in networks) return call.fault(`/allowed_networks/${networks.index}`, networks.fault);
  const body: Asked = { ...asked, time_zone, allowed_networks: networks && [...networks] };
  return call.change(async ({ tx, emit }) => {
    const stored = await lockOrganization(tx, id);
    const { before, after, fields } = differences(stored, body);
    if (fields.length === 0) return stored;
    const refused = memberRefusal(ENDPOINTS.updateOrganization, call.caller, fields, now) ?? lockoutRefusal(call, after);
    if (refused) return refused;
    const organization = await update(tx, id, after, now);
    const it = about.organization(organization);
    const { base_currency: oldCurrency, ...otherBefore } = before;
    const { base_currency: newCurrency, ...otherAfter } = after;
    if (newCurrency !== undefined) {
      const data = { before: { base_currency: oldCurrency }, after: { base_currency: newCurrency } };
      emit('organization.base_currency_changed', { ...it, data });
    }
    const security = fields.filter((field) => SECURITY.includes(field));
    const severity = security.length > 0 ? { severity: 'critical' as const } : {};
    if (Object.keys(otherAfter).length > 0)
      emit('organization.updated', { ...it, ...severity, data: { before: otherBefore, after: otherAfter } });
    if (security.length > 0) await mailSecurityChange(deps, call, tx, security.join(', '));
    return organization;
  });
};
