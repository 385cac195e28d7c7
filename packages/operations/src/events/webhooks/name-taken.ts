export const NAME_TAKEN = 'A webhook subscription with this name already exists.';
