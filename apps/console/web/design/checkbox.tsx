import './checkbox.css';

export { Checkbox } from '@mantine/core';
