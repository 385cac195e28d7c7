import { isDeepStrictEqual } from 'node:util';
import { getSecurityMembers } from '@svc/contract/automation.ts';
import { ENDPOINTS, type Endpoints } from '@svc/contract/endpoints.ts';
import type { EndpointBody } from '@svc/contract/rows/endpoint.ts';
import type { Proof } from '@svc/contract/tables/proofs.ts';
import type { Organization } from '@svc/contract/tenancy/organization.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { lockOrganization, updateOrganization as update } from '@svc/postgres/tenancy/organization/organization.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { findMemberRefusal } from '../../people/auth/member-refusal.ts';
import { mailSecurityChange } from '../../people/mail/mail-owners.ts';
import type { MailService } from '../../people/mail/mail-service.ts';
import type { Posting } from '../../people/mail/post-mail.ts';
import { findLockoutRefusal } from './lockout-refusal.ts';

type UpdateOrganizationRequest = CallContext & {
  readonly steppedUpUntil: string | null;
  readonly body: EndpointBody<Endpoints['updateOrganization']>;
  readonly amr: readonly Proof[];
  readonly roleId: string;
  readonly sourceIp: string;
  readonly newId: Posting['newId'];
  readonly organizationName: string;
};

type Changeable = Pick<Organization, 'name' | 'require_mfa' | 'base_currency' | 'time_zone' | 'allowed_networks'>;

type Field = keyof Changeable;

/** The settings to change, in their stored form. */
export type WantedSettings = { readonly [Name in Field]?: Changeable[Name] | undefined };

/** Returns the fields of the body that differ from what is stored, before and after. */
const differences = (stored: Changeable, asked: WantedSettings) => {
  const fields = (Object.keys(asked) as Field[]).filter(
    (field) => asked[field] !== undefined && !isDeepStrictEqual(asked[field], stored[field]),
  );
  const pick = (from: object): Partial<Changeable> =>
    Object.fromEntries(Object.entries(from).filter(([field]) => fields.includes(field as Field)));
  return { before: pick(stored), after: pick(asked), fields };
};

const SECURITY = getSecurityMembers(ENDPOINTS.updateOrganization);

export const updateOrganization = async (
  { tx, emit }: Change<'organization.base_currency_changed' | 'organization.updated'>,
  request: UpdateOrganizationRequest,
  wanted: WantedSettings,
  deps: { readonly mail: MailService },
) => {
  const { scope, now } = request;
  const { organization_id: id } = scope;
  const stored = await lockOrganization(tx, id);
  const { before, after, fields } = differences(stored, wanted);
  if (fields.length === 0) return stored;
  const refused = findMemberRefusal(ENDPOINTS.updateOrganization, request, fields, now) ?? findLockoutRefusal(request, after);
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
  if (security.length > 0) await mailSecurityChange(deps, request, tx, security.join(', '));
  return organization;
};
