import type { AreaHandlers } from '@svc/http/calls/call.ts';
import type { PeopleDeps } from './deps.ts';
import { delayResponse } from './even-time/evenly.ts';
import { createScimGroup } from './scim/create-scim-group.ts';
import { createScimToken } from './scim/create-scim-token.ts';
import { createScimUser } from './scim/create-scim-user.ts';
import { deleteScimGroup } from './scim/delete-scim-group.ts';
import { deleteScimUser } from './scim/delete-scim-user.ts';
import { getScimConfiguration } from './scim/get-scim-configuration.ts';
import { getScimGroup } from './scim/get-scim-group.ts';
import { getScimResourceType } from './scim/get-scim-resource-type.ts';
import { getScimSchema } from './scim/get-scim-schema.ts';
import { getScimServiceProviderConfig } from './scim/get-scim-service-provider-config.ts';
import { getScimUser } from './scim/get-scim-user.ts';
import { listScimGroups } from './scim/list-scim-groups.ts';
import { listScimResourceTypes } from './scim/list-scim-resource-types.ts';
import { listScimSchemas } from './scim/list-scim-schemas.ts';
import { listScimUsers } from './scim/list-scim-users.ts';
import { patchScimGroup } from './scim/patch-scim-group.ts';
import { patchScimUser } from './scim/patch-scim-user.ts';
import { replaceScimGroup } from './scim/replace-scim-group.ts';
import { replaceScimUser } from './scim/replace-scim-user.ts';
import { revokeScimToken } from './scim/revoke-scim-token.ts';
import { updateScimConfiguration } from './scim/update-scim-configuration.ts';
import { createSsoConnection } from './sso/create-sso-connection.ts';
import { deleteSsoConnection } from './sso/delete-sso-connection.ts';
import { finishSamlSignIn } from './sso/finish-saml-sign-in.ts';
import { getSamlMetadata } from './sso/get-saml-metadata.ts';
import { linkIdentity } from './sso/link-identity.ts';
import { listIdentities } from './sso/list-identities.ts';
import { listSsoConnections } from './sso/list-sso-connections.ts';
import { receiveSamlResponse } from './sso/receive-saml-response.ts';
import { ssoCallback } from './sso/sso-callback.ts';
import { ssoCallbackOf } from './sso/sso-callback-of.ts';
import { startSso } from './sso/start-sso.ts';
import { testSsoConnection } from './sso/test-sso-connection.ts';
import { unlinkIdentity } from './sso/unlink-identity.ts';
import { updateSsoConnection } from './sso/update-sso-connection.ts';

type PeopleHandlers = AreaHandlers<'control', 'people', PeopleDeps>;

/** Handlers of single sign-on and directories. */
export const provisioningHandlers = {
  createScimGroup,
  createScimToken,
  createScimUser,
  deleteScimGroup,
  deleteScimUser,
  getScimConfiguration,
  getScimGroup,
  getScimResourceType,
  getScimSchema,
  getScimServiceProviderConfig,
  getScimUser,
  listScimGroups,
  listScimResourceTypes,
  listScimSchemas,
  listScimUsers,
  patchScimGroup,
  patchScimUser,
  replaceScimGroup,
  replaceScimUser,
  revokeScimToken,
  updateScimConfiguration,
  createSsoConnection,
  deleteSsoConnection,
  finishSamlSignIn,
  getSamlMetadata,
  receiveSamlResponse,
  linkIdentity,
  listIdentities,
  listSsoConnections,
  ssoCallback,
  ssoCallbackOf,
  startSso: delayResponse(startSso),
  testSsoConnection,
  unlinkIdentity,
  updateSsoConnection,
} satisfies Partial<PeopleHandlers>;
