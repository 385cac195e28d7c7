export const TAKEN = 'A runtime with this name already exists in this environment.';
