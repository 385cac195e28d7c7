import { NOTIFICATION_LINES } from './expected-notification-lines.ts';
import { PEOPLE_LINES } from './expected-people-lines.ts';

/**
 * Who may call what, typed by hand from the interface; never generated from the rows, which it is compared with.
 *
 * Each line: the plane, if both planes have the path or only the gateway has it (`gateway`); method and path; the caller; marks. The caller
 * is `anybody`, `person` (a signed-in person with any permissions), `caller` (a person or a key with any permissions), `agent`, `directory`
 * (a SCIM client with its token), or the required permissions, all of them. Marks: `step-up` (always), `of-people` (people only, in
 * addition to the permissions), `of-partners` (the remote agent of a connection, and no agent), `enrolment` (available without a second
 * factor if the organization requires one), `decided` (the path is decided and not in the interface), `read` (neither is, and this is how
 * the permissions were read). Paths that are not served are skipped.
 */
export const EXPECTED = `
GET /health/live                                        anybody                     decided
GET /health/ready                                       anybody
gateway GET /health/live                                anybody                     decided
gateway GET /health/ready                               anybody
GET /.well-known/authzen-configuration                  anybody                     decided
GET /                                                   anybody                     decided
GET /docs                                               anybody                     read
GET /docs/errors                                        anybody                     read
GET /docs/guides                                        anybody                     read
GET /docs/guides/{guideName}                            anybody                     read
GET /openapi.json                                       anybody                     read
gateway GET /                                           anybody                     decided
gateway GET /docs                                       anybody                     read
gateway GET /docs/errors                                anybody                     read
gateway GET /openapi.json                               anybody                     read
GET /outbox                                             anybody                     read
GET /v1/meta/error-codes                                anybody
GET /v1/meta/event-types                                anybody
GET /v1/meta/info                                       caller                      read

${PEOPLE_LINES}

GET /v1/organization                                    organization:read
PATCH /v1/organization                                  organization:update
DELETE /v1/organization                                 organization:delete         step-up decided
POST /v1/organization/restore                           organization:delete         step-up decided
GET /v1/fx-rates                                        organization:read
GET /v1/fx-rates/history                                organization:read
POST /v1/fx-rates                                       organization:update         of-people
DELETE /v1/fx-rates/{rateId}                            organization:update         of-people
POST /v1/fx-rates/refresh                               organization:update
GET /v1/workspaces                                      workspace:read
POST /v1/workspaces                                     workspace:create
PATCH /v1/workspaces/{workspaceId}                      workspace:update            decided
POST /v1/workspaces/{workspaceId}/archive               workspace:update environment:pause   step-up decided
GET /v1/environments                                    environment:read
POST /v1/environments                                   environment:create
PATCH /v1/environments/{environmentId}                  environment:update          decided
POST /v1/environments/{environmentId}/archive           environment:update environment:pause step-up decided
POST /v1/environments/{environmentId}/gateway-mode      environment:set_mode
POST /v1/environments/{environmentId}/pause             environment:pause           step-up
POST /v1/environments/{environmentId}/resume            environment:pause           step-up read
GET /v1/environments/{environmentId}/risk-settings      risk:read                   decided
PUT /v1/environments/{environmentId}/risk-settings      risk:update                 decided
GET /v1/environments/{environmentId}/risk-settings/scores risk:read                   decided
GET /v1/agents/{agentId}/risk                           risk:read                   decided
GET /v1/agents/{agentId}/contexts                       risk:read                   decided
POST /v1/agents/{agentId}/contexts/{contextId}/declassify risk:update                 decided
GET /v1/tools/{toolId}/flow                             tool:read                   decided
PUT /v1/tools/{toolId}/flow                             tool:update                 decided
GET /v1/trust/providers                                 trust:read                  decided
POST /v1/trust/providers                                trust:update                step-up decided
GET /v1/trust/providers/{trustProviderId}               trust:read                  decided
POST /v1/trust/providers/{trustProviderId}/disable      trust:update                decided
GET /v1/trust/evidence                                  trust:read                  decided
POST /v1/trust/evidence                                 trust:update                decided
POST /v1/trust/evidence/verify                          trust:read                  decided
GET /v1/trust/evidence/{trustEvidenceId}                trust:read                  decided
POST /v1/trust/evidence/{trustEvidenceId}/revoke        trust:update                decided
GET /v1/agents/{agentId}/trust                          trust:read                  decided
PUT /v1/agents/{agentId}/trust/artifacts                agent:update                decided
GET /v1/environments/{environmentId}/trust              environment:read            decided
PUT /v1/environments/{environmentId}/trust              environment:update          decided
GET /v1/tools/{toolId}/trust                            tool:read                   decided
PUT /v1/tools/{toolId}/trust                            tool:update                 decided
GET /v1/tools/{toolId}/routes                           tool:read                   decided
PUT /v1/tools/{toolId}/routes                           tool:update                 decided
GET /v1/risk-events                                     risk:read                   decided
GET /v1/risk-events/summary                             risk:read                   decided
GET /v1/risk-events/{riskEventId}                       risk:read                   decided
POST /v1/risk-events/{riskEventId}/acknowledge          risk:acknowledge            decided
GET /v1/risk-signals                                    risk:read                   decided

GET /v1/roles                                           role:read                   decided
GET /v1/api-keys                                        apikey:read                 decided
POST /v1/api-keys                                       apikey:create
DELETE /v1/api-keys/{apiKeyId}                          apikey:revoke               decided
POST /v1/api-keys/{apiKeyId}/rotate                     apikey:create               read
DELETE /v1/api-keys/{apiKeyId}/previous-secret          apikey:revoke               read

GET /v1/agents                                          agent:read
POST /v1/agents                                         agent:create
GET /v1/agents/{agentId}                                agent:read
PATCH /v1/agents/{agentId}                              agent:update
POST /v1/agents/{agentId}/pause                         agent:pause
POST /v1/agents/{agentId}/resume                        agent:resume
POST /v1/agents/{agentId}/suspend                       agent:suspend
POST /v1/agents/{agentId}/isolate                       emergency:execute           step-up decided
POST /v1/agents/{agentId}/decommission                  agent:revoke                step-up read
POST /v1/agents/{agentId}/revoke                        agent:revoke                step-up
POST /v1/agents/bulk                                    agent:revoke                step-up
POST /v1/agents/bulk/preview                            agent:read
POST /v1/agents/{agentId}/rotate-credentials            agent:rotate_credentials
GET /v1/agents/{agentId}/health                         agent:read
GET /v1/agents/client-libraries                         agent:read                  read
GET /v1/agents/{agentId}/enforcement                    agent:read
GET /v1/agents/{agentId}/authority                      delegation:read
GET /v1/agents/{agentId}/passport                       agent:read                  read
POST /v1/agents/{agentId}/passport/export               agent:read                  decided
GET /v1/agents/{agentId}/listing                        agent:read                  decided
POST /v1/agents/{agentId}/publish                       agent:update                of-people decided
POST /v1/agents/{agentId}/unpublish                     agent:update                decided
POST /v1/passports/verify                               agent:read                  decided
POST /v1/agents/{agentId}/passport/renew                agent:rotate_credentials    read
POST /v1/agents/{agentId}/capabilities                  agent:manage_capabilities
DELETE /v1/agents/{agentId}/capabilities/{capability}   agent:manage_capabilities

GET /v1/policies                                        policy:read
POST /v1/policies                                       policy:create
GET /v1/policies/builder-schema                         policy:read
GET /v1/policies/schema                                 policy:read                 read
GET /v1/policies/templates                              policy:read                 read
GET /v1/policies/{policyId}                             policy:read                 decided
PATCH /v1/policies/{policyId}                           policy:update
DELETE /v1/policies/{policyId}                          policy:delete               read
GET /v1/policies/{policyId}/versions                    policy:read                 decided
POST /v1/policies/{policyId}/activate                   policy:activate             step-up
POST /v1/policies/{policyId}/rollback                   policy:rollback             step-up
POST /v1/policies/{policyId}/suspend                    policy:activate             step-up read
POST /v1/policies/{policyId}/bindings                   policy:activate             step-up read
DELETE /v1/policies/{policyId}/bindings/{bindingId}     policy:activate             step-up read
GET /v1/policies/{policyId}/diff                        policy:read
POST /v1/policies/check                                 policy:simulate             read
POST /v1/policies/simulate                              policy:simulate
POST /v1/policies/{policyId}/simulations                policy:simulate
POST /v1/policies/{policyId}/tests/run                  policy:simulate
POST /v1/policies/{policyId}/tests/preview              policy:simulate
GET /v1/policies/invariants                             policy:read                 read
POST /v1/policies/invariants                            policy:update               read
POST /v1/policies/invariants/check                      policy:simulate             read
DELETE /v1/policies/invariants/{invariantId}            policy:activate             step-up read

GET /v1/a2a/connections                                 a2a:read
POST /v1/a2a/connections                                a2a:connect
GET /v1/a2a/connections/{a2aConnectionId}               a2a:read                    decided
PATCH /v1/a2a/connections/{a2aConnectionId}             a2a:update                  decided
DELETE /v1/a2a/connections/{a2aConnectionId}            a2a:block                   decided
POST /v1/a2a/connections/{a2aConnectionId}/verify       a2a:update
POST /v1/a2a/connections/{a2aConnectionId}/block        a2a:block
GET /v1/emergency/break-glass                           incident:read               decided
POST /v1/emergency/break-glass                          person                      step-up decided
GET /v1/emergency/break-glass/settings                  incident:read               decided
PUT /v1/emergency/break-glass/settings                  organization:update         step-up decided
GET /v1/emergency/break-glass/{breakGlassId}            incident:read               decided
GET /v1/emergency/break-glass/{breakGlassId}/report     incident:read audit:read    decided
POST /v1/emergency/break-glass/{breakGlassId}/approve   emergency:execute           step-up decided
POST /v1/emergency/break-glass/{breakGlassId}/deny      emergency:execute           step-up decided
POST /v1/emergency/break-glass/{breakGlassId}/end       person                      decided
GET /v1/incident-rules                                  incident:read               decided
POST /v1/incident-rules                                 risk:update                 decided
GET /v1/incident-rules/{incidentRuleId}                 incident:read               decided
PATCH /v1/incident-rules/{incidentRuleId}               risk:update                 decided
DELETE /v1/incident-rules/{incidentRuleId}              risk:update                 decided
GET /v1/incidents                                       incident:read
POST /v1/incidents                                      incident:create             decided
GET /v1/incidents/{incidentId}                          incident:read               decided
PATCH /v1/incidents/{incidentId}                        incident:update             decided
GET /v1/incidents/{incidentId}/timeline                 incident:read               decided
POST /v1/incidents/{incidentId}/entries                 incident:update             decided
POST /v1/incidents/{incidentId}/contain                 incident:update             decided
POST /v1/incidents/{incidentId}/contain/preview         incident:read               decided
POST /v1/incidents/{incidentId}/resolve                 incident:update             decided
POST /v1/incidents/{incidentId}/reopen                  incident:update             decided
POST /v1/incidents/{incidentId}/close                   incident:update             decided
GET /v1/incidents/{incidentId}/report                   incident:read               decided
GET /v1/emergency                                       incident:read               decided
GET /v1/emergency/blocked-destinations                  incident:read               decided
DELETE /v1/emergency/blocked-destinations/{blockId}     emergency:execute           step-up decided
POST /v1/emergency/{control}                            emergency:execute           step-up decided
POST /v1/emergency/{control}/preview                    incident:read               decided
GET /v1/mcp/servers                                     mcp:read
POST /v1/mcp/servers                                    mcp:register
GET /v1/mcp/servers/{serverId}                          mcp:read                    decided
PATCH /v1/mcp/servers/{serverId}                        mcp:update                  decided
DELETE /v1/mcp/servers/{serverId}                       mcp:disable                 decided
POST /v1/mcp/servers/{serverId}/discover                mcp:update
POST /v1/mcp/servers/{serverId}/disable                 mcp:disable                 decided
POST /v1/mcp/servers/{serverId}/release                 mcp:update                  step-up decided
GET /v1/mcp/servers/{serverId}/tools                    mcp:read                    decided
GET /v1/mcp/servers/{serverId}/tools/{mcpToolId}        mcp:read                    decided
GET /v1/mcp/servers/{serverId}/tools/{mcpToolId}/diff   mcp:read                    decided
GET /v1/mcp/servers/{serverId}/listings                 mcp:read                    decided
POST /v1/mcp/servers/{serverId}/tools/{mcpToolId}/authorize mcp:update
POST /v1/mcp/servers/{serverId}/tools/{mcpToolId}/disable   mcp:disable

GET /v1/runtimes                                        runtime:read
POST /v1/runtimes                                       runtime:manage
GET /v1/runtimes/capabilities                           caller
GET /v1/runtimes/posture                                runtime:read
GET /v1/runtimes/{runtimeId}                            runtime:read
PATCH /v1/runtimes/{runtimeId}                          runtime:manage
PUT /v1/runtimes/{runtimeId}/api-key                    runtime:manage credential:rotate step-up
POST /v1/runtimes/{runtimeId}/test                      runtime:verify
POST /v1/runtimes/{runtimeId}/verify                    runtime:verify
POST /v1/runtimes/{runtimeId}/operate                   runtime:operate             step-up
POST /v1/runtimes/{runtimeId}/disconnect                runtime:manage
GET /v1/runtimes/{runtimeId}/workflows                  runtime:read
GET /v1/runtimes/{runtimeId}/workflows/{workflowId}     runtime:read
GET /v1/runtimes/{runtimeId}/runs                       runtime:read
GET /v1/runtimes/{runtimeId}/enforcement                runtime:read
GET /v1/runtimes/{runtimeId}/bundle                     runtime:read
POST /v1/runtimes/{runtimeId}/reports                   runtime:verify              decided
gateway POST /gateway/v1/runtimes/{runtimeId}/ask        agent                       decided
gateway POST /gateway/v1/runtimes/{runtimeId}/heartbeat  agent                       decided
GET /v1/runtime-findings                                runtime:read
POST /v1/runtime-findings/{findingId}/accept            runtime:operate             step-up
DELETE /v1/runtime-findings/{findingId}/acceptance      runtime:operate             step-up decided

GET /v1/tools                                           tool:read
POST /v1/tools                                          tool:create
GET /v1/tools/{toolId}                                  tool:read                   decided
PATCH /v1/tools/{toolId}                                tool:update                 decided
POST /v1/tools/{toolId}/preview                         tool:update policy:read     read
POST /v1/tools/{toolId}/dry-call                        tool:read                   decided
POST /v1/tools/{toolId}/restrict                        tool:update                 decided
GET /v1/tools/{toolId}/versions                         tool:read                   read
GET /v1/tools/{toolId}/diff                             tool:read                   read
POST /v1/tools/{toolId}/disable                         tool:disable
POST /v1/tools/{toolId}/enable                          tool:enable                 decided
POST /v1/tools/{toolId}/agents                          tool:update
DELETE /v1/tools/{toolId}/agents/{agentId}              tool:update                 decided
GET /v1/actions                                         action:read
GET /v1/actions/summary                                 action:read                 read
GET /v1/actions/{actionId}                              action:read
GET /v1/actions/{actionId}/receipt                      action:read audit:read
POST /v1/actions/evaluate                               action:evaluate
POST /access/v1/evaluation                              action:evaluate             decided
POST /access/v1/evaluations                             action:evaluate             decided
POST /access/v1/search/subject                          agent:read tool:read        decided
POST /access/v1/search/resource                         agent:read tool:read        decided
POST /access/v1/search/action                           agent:read tool:read        decided
GET /v1/delegations                                     delegation:read
POST /v1/delegations                                    delegation:create
POST /v1/delegations/simulate                           delegation:simulate
GET /v1/delegations/graph                               delegation:read
GET /v1/delegations/{delegationId}                      delegation:read             read
POST /v1/delegations/{delegationId}/revoke/preview      delegation:read             read
POST /v1/oauth/introspect                               delegation:read             decided
PATCH /v1/delegations/{delegationId}                    delegation:update
POST /v1/delegations/{delegationId}/extend              delegation:create
POST /v1/delegations/{delegationId}/revoke              delegation:revoke
GET /v1/approvals                                       approval:read
GET /v1/approvals/{approvalId}                          approval:read
GET /v1/approvals/stream                                approval:read               decided
GET /v1/approvals/{approvalId}/approvers                   approval:read               read
POST /v1/approvals/{approvalId}/approve                 approval:approve
POST /v1/approvals/{approvalId}/deny                    approval:deny
POST /v1/approvals/{approvalId}/edit                    approval:approve            read
POST /v1/approvals/{approvalId}/withdraw                approval:approve            read
POST /v1/approvals/{approvalId}/delegate                approval:approve            read
POST /v1/approvals/{approvalId}/questions               approval:approve            read
POST /v1/approvals/{approvalId}/answer                  approval:read agent:update  read
POST /v1/approvals/{approvalId}/cancel                  approval:read agent:update  read
GET /v1/audit-events                                    audit:read                  decided
GET /v1/audit-events/{eventId}                          audit:read                  decided
GET /v1/events/stream                                   audit:read                  decided

GET /v1/audit-events/searches                           audit:read                  read
POST /v1/audit-events/searches                          audit:read                  read
PATCH /v1/audit-events/searches/{searchId}              audit:read                  read
DELETE /v1/audit-events/searches/{searchId}             audit:read                  read
GET /v1/tool-imports                                    tool:read
POST /v1/tool-imports                                   tool:create
POST /v1/tool-imports/files                             tool:create
GET /v1/tool-imports/{importId}                         tool:read
DELETE /v1/tool-imports/{importId}                      tool:create
GET /v1/tool-imports/{importId}/proposals               tool:read
GET /v1/tool-imports/{importId}/proposals/{proposalKey} tool:read
POST /v1/tool-imports/{importId}/apply                  tool:create
GET /v1/developer/code-assist                           caller
POST /v1/developer/code-assist/rewrite                  tool:update
GET /v1/tool-catalogue                                  integration:read            decided
GET /v1/tool-catalogue/{application}                    integration:read            decided
GET /v1/integrations                                    integration:read            decided
POST /v1/integrations                                   integration:create tool:create credential:create decided
GET /v1/integrations/{integrationId}                    integration:read            decided
PATCH /v1/integrations/{integrationId}                  integration:update tool:create decided
DELETE /v1/integrations/{integrationId}                 integration:update tool:disable decided
GET /v1/credentials                                     credential:read
POST /v1/credentials                                    credential:create           decided
GET /v1/credentials/{credentialId}                      credential:read             decided
POST /v1/credentials/{credentialId}/rotate              credential:rotate           decided step-up
POST /v1/credentials/{credentialId}/revoke              credential:revoke           decided step-up
POST /v1/credentials/{credentialId}/connect             credential:rotate           read of-people step-up
GET /v1/credentials/{credentialId}/callback             anybody                     read
POST /v1/credentials/{credentialId}/test                credential:create          read
POST /v1/webhooks                                       webhook:create
GET /v1/webhooks                                        webhook:read                decided
GET /v1/webhooks/{subscriptionId}                       webhook:read                decided
PATCH /v1/webhooks/{subscriptionId}                     webhook:update              decided
DELETE /v1/webhooks/{subscriptionId}                    webhook:delete              decided
POST /v1/webhooks/{subscriptionId}/rotate-secret        webhook:update
POST /v1/webhooks/{subscriptionId}/test                 webhook:update              decided
POST /v1/webhooks/{subscriptionId}/redeliver            webhook:update              read
GET /v1/webhooks/{subscriptionId}/deliveries            webhook:read                decided
GET /v1/webhooks/{subscriptionId}/deliveries/{deliveryId} webhook:read              read
POST /v1/webhooks/{subscriptionId}/deliveries/{deliveryId}/redeliver webhook:update decided
${NOTIFICATION_LINES}
GET /v1/audit-events/{eventId}/proof                    audit:read
GET /v1/audit-events/checkpoints                        audit:read
POST /v1/audit-events/export                            audit:export
POST /v1/audit-events/verify                            audit:verify
GET /v1/compliance/report                               audit:read                  read
GET /v1/audit-events/retention                          audit:read
PATCH /v1/audit-events/retention                        audit:update_retention      step-up
GET /v1/audit-log                                       audit:read
GET /v1/audit-log/checkpoint                            audit:read
GET /v1/audit-log/consistency                           audit:read
GET /v1/audit-log/tile/{tileLevel}/{tile}               audit:read
GET /v1/audit-log/tile/{tileLevel}/{tile}/{tileNext}    audit:read
GET /v1/audit-log/tile/{tileLevel}/{tile}/{tileNext}/{tileThird} audit:read
GET /v1/audit-log/tile/{tileLevel}/{tile}/{tileNext}/{tileThird}/{tileWidth} audit:read
gateway GET /.well-known/svc-platform-key               anybody
gateway POST /gateway/v1/token                          anybody
gateway POST /gateway/v1/handshake                      anybody
gateway GET /.well-known/oauth-authorization-server     anybody
gateway GET /.well-known/oauth-protected-resource/gateway/v1/mcp anybody
gateway GET /.well-known/oauth-protected-resource/gateway/v1/mcp/{serverId} anybody
gateway GET /.well-known/oauth-protected-resource/gateway/v1/a2a/{a2aConnectionId} anybody
gateway GET /.well-known/oauth-protected-resource/gateway/v1/agents/{agentId}/a2a anybody decided
gateway GET /gateway/v1/oauth/jwks                      anybody
gateway GET /gateway/v1/agents/{agentId}/.well-known/agent-card.json anybody          decided
gateway GET /gateway/v1/oauth/authorize                 anybody
gateway POST /gateway/v1/oauth/token                    anybody
gateway POST /gateway/v1/logout                         agent                       read
gateway POST /gateway/v1/actions                        agent                       decided
gateway GET /gateway/v1/actions/{actionId}              agent                       read
gateway POST /gateway/v1/actions/{actionId}/outcome     agent                       read
gateway GET /gateway/v1/approvals/{approvalId}          agent                       read
gateway POST /gateway/v1/approvals/{approvalId}/answer  agent                       read
gateway POST /gateway/v1/approvals/{approvalId}/cancel  agent                       read
gateway POST /gateway/v1/delegations                    agent                       read
gateway POST /gateway/v1/a2a/{a2aConnectionId}          agent                       decided
gateway GET /gateway/v1/a2a/{a2aConnectionId}/.well-known/agent-card.json agent      decided
gateway POST /gateway/v1/a2a/{a2aConnectionId}/notifications anybody                decided
gateway POST /gateway/v1/agents/{agentId}/a2a           agent                       of-partners decided
gateway POST /gateway/v1/ext-authz/{mapping}            agent                       decided
gateway POST /gateway/v1/mcp                            agent                       decided
gateway POST /gateway/v1/mcp/{serverId}                 agent                       decided
`;
