/** Lines about people and sign-in: part of EXPECTED, with the same words. */
export const PEOPLE_LINES = `POST /v1/auth/signup                                    anybody
POST /v1/auth/signup/check                              anybody                     read
POST /v1/auth/signup/start                              anybody
POST /v1/auth/signup/verify                             anybody
GET /v1/onboarding                                      person
PUT /v1/onboarding/steps/{step}                         person
POST /v1/onboarding/complete                            person
POST /v1/auth/login                                     anybody
GET /v1/auth/session                                    caller                      enrolment
POST /v1/auth/logout                                    person                      enrolment
POST /v1/auth/step-up                                   person                      enrolment
GET /v1/auth/organizations                              person                      decided enrolment
POST /v1/auth/switch                                    person                      decided enrolment
GET /sign-in                                            anybody                     read
GET /assets/{asset}                                     anybody                     read

POST /v1/auth/mfa/verify                                anybody
POST /v1/auth/mfa/challenge                             anybody                     decided
GET /v1/auth/mfa                                        person                      decided enrolment
POST /v1/auth/mfa/totp                                  person                      decided enrolment
POST /v1/auth/mfa/totp/{factorId}/confirm               person                      decided enrolment
POST /v1/auth/mfa/passkeys/options                      person                      decided enrolment
POST /v1/auth/mfa/passkeys                              person                      decided enrolment
DELETE /v1/auth/mfa/factors/{factorId}                  person                      step-up decided
POST   /v1/auth/mfa/factors/{factorId}/confirm          person                      step-up decided
POST /v1/auth/mfa/recovery-codes                        person                      step-up decided
GET /v1/auth/mfa/device-approvals                       person                      decided
POST /v1/auth/mfa/device-approvals/{deviceApprovalId}/approve  person               decided
POST /v1/auth/mfa/device-approvals/{deviceApprovalId}/deny     person               decided
POST /v1/auth/passkey/start                             anybody                     read
POST /v1/auth/passkey/verify                            anybody                     read

POST /v1/auth/password                                  person                      decided
POST /v1/auth/password/reset/start                      anybody                     decided
POST /v1/auth/password/reset                            anybody                     decided
GET /v1/auth/sessions                                   person                      decided
DELETE /v1/auth/sessions                                person                      read
DELETE /v1/auth/sessions/{sessionId}                    person                      decided
PATCH /v1/auth/profile                                  person                      decided

POST /v1/auth/cli/start                                 anybody
POST /v1/auth/cli/token                                 anybody
GET /v1/auth/cli/requests/{requestId}                   person
GET /v1/auth/cli/requests                               person
POST /v1/auth/cli/requests/{requestId}/approve          person
POST /v1/auth/cli/requests/{requestId}/deny             person

GET /v1/members                                         member:read                 decided
GET /v1/members/{memberId}                              member:read                 read
PATCH /v1/members/{memberId}                            member:update               decided
DELETE /v1/members/{memberId}                           member:remove               decided
POST /v1/members/{memberId}/transfer-ownership          member:update organization:delete    step-up of-people read
POST /v1/members/{memberId}/revoke-sessions             member:update               decided
POST /v1/members/{memberId}/reset-password              member:update               of-people decided
POST /v1/members/{memberId}/reset-mfa                   member:update               step-up decided
GET /v1/members/invitations                             member:read                 decided
POST /v1/members/invitations                            member:invite               decided
DELETE /v1/members/invitations/{invitationId}           member:invite               decided
POST /v1/members/invitations/{invitationId}/resend      member:invite               decided
POST /v1/members/invitations/{invitationId}/confirm     member:invite               step-up of-people read
POST /v1/auth/invitations/read                          anybody                     read
POST /v1/auth/invitations/accept                        anybody                     decided
POST /v1/auth/invitations/join                          person                      read

GET /v1/roles/permissions                               role:read                   read
GET /v1/roles/{roleId}                                  role:read                   read
POST /v1/roles                                          role:create                 decided
PATCH /v1/roles/{roleId}                                role:update                 step-up decided
DELETE /v1/roles/{roleId}                               role:delete                 decided

GET /v1/sso/connections                                 sso:read                    decided
POST /v1/sso/connections                                sso:update                  step-up decided
PATCH /v1/sso/connections/{connectionId}                sso:update                  step-up decided
DELETE /v1/sso/connections/{connectionId}               sso:update                  step-up decided
POST /v1/sso/connections/{connectionId}/test            sso:update                  step-up decided
GET /v1/auth/sso/start                                  anybody                     decided
GET /v1/auth/sso/callback                               anybody                     decided
GET /v1/auth/sso/callback/{connectionId}                anybody                     read
GET /v1/auth/sso/saml/{connectionId}/metadata           anybody                     read
POST /v1/auth/sso/saml/{connectionId}                   anybody                     read
GET /v1/auth/sso/saml/{connectionId}                    anybody                     read
GET /v1/auth/identities                                 person                      read
POST /v1/auth/identities                                person                      read
DELETE /v1/auth/identities/{identityId}                 person                      read
GET /v1/sso/scim                                        sso:read                    read
PATCH /v1/sso/scim                                      sso:update                  step-up read
POST /v1/sso/scim-token                                 sso:update                  step-up decided
DELETE /v1/sso/scim-token                               sso:update                  step-up read
GET /scim/v2/Users                                      directory                   decided
POST /scim/v2/Users                                     directory                   decided
GET /scim/v2/Users/{directoryUserId}                    directory                   decided
PUT /scim/v2/Users/{directoryUserId}                    directory                   decided
PATCH /scim/v2/Users/{directoryUserId}                  directory                   decided
DELETE /scim/v2/Users/{directoryUserId}                 directory                   decided
GET /scim/v2/Groups                                     directory                   decided
POST /scim/v2/Groups                                    directory                   decided
GET /scim/v2/Groups/{directoryGroupId}                  directory                   decided
PUT /scim/v2/Groups/{directoryGroupId}                  directory                   decided
PATCH /scim/v2/Groups/{directoryGroupId}                directory                   decided
DELETE /scim/v2/Groups/{directoryGroupId}               directory                   decided
GET /scim/v2/ServiceProviderConfig                      directory                   decided
GET /scim/v2/ResourceTypes                              directory                   decided
GET /scim/v2/ResourceTypes/{resourceTypeName}           directory                   decided
GET /scim/v2/Schemas                                    directory                   decided
GET /scim/v2/Schemas/{schemaUrn}                        directory                   decided`;
