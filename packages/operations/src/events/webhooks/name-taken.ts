export const NAME_TAKEN = 'A webhook subscription of this name exists.';
