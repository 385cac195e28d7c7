/** Lines about notifications and chats: part of EXPECTED, with the same words. */
export const NOTIFICATION_LINES = `POST /v1/notification-channels                          webhook:create              read
GET /v1/notification-channels                           webhook:read                read
GET /v1/notification-channels/{channelId}               webhook:read                read
PATCH /v1/notification-channels/{channelId}             webhook:update              read
DELETE /v1/notification-channels/{channelId}            webhook:delete              read
POST /v1/notification-channels/{channelId}/test         webhook:update              read
GET /v1/notifications                                   person                      read
POST /v1/notifications/{notificationId}/read            person                      read
POST /v1/notifications/read                             person                      read
GET /v1/auth/profile/notifications                      person                      read
PATCH /v1/auth/profile/notifications                    person                      read`;
