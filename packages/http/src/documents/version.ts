export const API_VERSION = '0.2.0';
