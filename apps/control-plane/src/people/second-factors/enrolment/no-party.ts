/** Told where the address of the plane is one of numbers. */
export const NO_PARTY = 'Browsers bind passkeys to a name, and this service is reached by a number: whoever operates it sets SVC_BASE_URL.';
