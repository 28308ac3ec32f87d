import { testPages } from './accessible-pages.ts';

testPages(['/users', '/api-tokens', '/webhooks', '/audit-log', '/jobs', '/settings', '/profile']);
