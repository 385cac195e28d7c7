import type { Endpoints } from '@svc/contract/endpoints.ts';
import { findEmailTrustFault } from '@svc/domain/people/sso/email-trust-fault.ts';
import { asActing } from '@svc/http/calls/as-acting.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { createSsoConnection as create } from '@svc/operations/people/sso/create-sso-connection.ts';
import { findKindFault } from '@svc/operations/people/sso/kind-fault.ts';
import { refusePart } from '@svc/operations/people/sso/refuse-part.ts';
import type { PeopleDeps } from '../deps.ts';

const SAML_OFF = 'SAML is disabled. The operator of the service can set SVC_SAML; otherwise use OpenID Connect.';

type Create = Endpoints['createSsoConnection'];

export const createSsoConnection: Handler<Create, PeopleDeps> = async (call, deps) => {
  const { sso } = deps;
  const part = refusePart(call.scope);
  if (part) return part;
  const { body } = call;
  const kind = body.kind ?? 'OIDC';
  if (kind === 'SAML' && !sso.saml) return call.fault('/kind', SAML_OFF);
  const wrong = findKindFault(kind, body);
  if (wrong) return call.fault(wrong.pointer, wrong.message);
  const untrusted =
    body.email_trust && findEmailTrustFault({ kind, email_trust: body.email_trust, issuer: body.issuer, domains: body.domains ?? [] });
  if (untrusted) return call.fault('/email_trust', untrusted);
  return call.change(
    (change) =>
      create(
        change,
        { ...asActing(call), body: call.body, sourceIp: call.sourceIp, newId: call.newId, organizationName: call.caller.organizationName },
        deps,
      ),
    { sso_connections_name_is_unique: () => call.refuse('ALREADY_EXISTS', 'A connection of this name exists.') },
  );
};
