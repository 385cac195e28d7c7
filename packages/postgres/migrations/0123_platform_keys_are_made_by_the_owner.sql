-- Whoever starts this version as the owner makes the key that signs, where none is in use: no role writes one, and none retires one.
revoke insert, update, delete, truncate on platform_keys from svc_app, svc_gateway, svc_reader;
