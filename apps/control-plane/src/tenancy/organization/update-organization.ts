import type { Endpoints } from '@svc/contract/endpoints.ts';
import { CURRENCIES } from '@svc/contract/tables/currencies.ts';
import type { Organization } from '@svc/contract/tenancy/organization.ts';
import { readTimeZone } from '@svc/domain/tenancy/organization/time-zone.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { lockOrganization, updateOrganization as update } from '@svc/postgres/tenancy/organization/organization.ts';
import type { ControlDeps } from '../../deps.ts';

type Changeable = Pick<Organization, 'name' | 'require_mfa' | 'base_currency' | 'time_zone' | 'allowed_networks'>;
type Field = keyof Changeable;

/** The fields of the body that differ from what is stored, as they were and as they become. */
const differences = (stored: Changeable, asked: { readonly [Name in Field]?: Changeable[Name] | undefined }) => {
  const fields = (Object.keys(asked) as Field[]).filter((field) => asked[field] !== undefined && asked[field] !== stored[field]);
  const pick = (from: object): Partial<Changeable> =>
    Object.fromEntries(Object.entries(from).filter(([field]) => fields.includes(field as Field)));
  return { before: pick(stored), after: pick(asked), fields };
};

export const updateOrganization: Handler<Endpoints['updateOrganization'], ControlDeps> = (call) => {
  const { scope, now } = call;
  const { organization_id: id } = scope;
  if (scope.workspace_ids) return call.refuse('PERMISSION_DENIED', 'This call is limited to a part of the organization, which is more.');
  const time_zone = call.body.time_zone === undefined ? undefined : readTimeZone(call.body.time_zone);
  if (call.body.time_zone !== undefined && time_zone === undefined)
    return call.fault('/time_zone', 'Must be the name of a time zone in the IANA database, such as Europe/Berlin.');
  const body = { ...call.body, time_zone };
  if (body.base_currency !== undefined && !CURRENCIES.has(body.base_currency))
    return call.fault('/base_currency', 'Must be the ISO 4217 code of a currency in circulation.');
  // No second factor can be enrolled in this version, so the duty would lock out everybody, its giver first.
  if (body.require_mfa)
    return call.refuse('UNPROCESSABLE', 'Nobody can be required to use a second factor: this version has none to enrol.');
  return call.change(async ({ tx, emit }) => {
    const stored = await lockOrganization(tx, id);
    const { before, after, fields } = differences(stored, body);
    if (fields.length === 0) return stored;
    const organization = await update(tx, id, after, now);
    const it = about.organization(organization);
    const { base_currency: oldCurrency, ...otherBefore } = before;
    const { base_currency: newCurrency, ...otherAfter } = after;
    if (newCurrency !== undefined) {
      const data = { before: { base_currency: oldCurrency }, after: { base_currency: newCurrency } };
      emit('organization.base_currency_changed', { ...it, data });
    }
    if (Object.keys(otherAfter).length > 0) emit('organization.updated', { ...it, data: { before: otherBefore, after: otherAfter } });
    return organization;
  });
};
