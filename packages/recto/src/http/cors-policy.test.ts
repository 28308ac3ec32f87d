import { describe } from 'bun:test';
import { sampleApp } from '../../../../test/support/sample-app.ts';
import { scenarios } from '../../../../test/support/scenario.ts';

const app = sampleApp();
const scenario = scenarios({ app: () => app });

describe('CORS', () => {
  const one = sampleApp({ corsOrigins: ['https://a.example', 'https://b.example'] });
  const all = sampleApp({ corsOrigins: ['*'] });
  const origin = (value: string) => ({ Origin: value });
  const preflight = { Origin: 'https://b.example', 'Access-Control-Request-Method': 'PUT' };
  const ofOne = scenarios({ app: () => one });
  const ofAll = scenarios({ app: () => all });
  const none = { 'Access-Control-Allow-Origin': null, 'Access-Control-Allow-Methods': null };

  scenario('none is allowed', {
    request: 'GET /sync',
    headers: origin('https://a.example'),
    expect: { status: 200, headers: { ...none, Vary: 'Authorization, Recto-Tenant' } },
  });
  ofOne('an origin that is allowed', {
    request: 'GET /sync',
    headers: origin('https://b.example'),
    expect: {
      status: 200,
      headers: {
        'Access-Control-Allow-Origin': 'https://b.example',
        'Access-Control-Expose-Headers': /X-Request-Id, ETag, Location, Cache-Status/,
        'Access-Control-Allow-Credentials': null,
        Vary: 'Authorization, Recto-Tenant, Origin',
      },
    },
  });
  ofOne('another origin', {
    request: 'GET /sync',
    headers: origin('https://b.example.org'),
    expect: { status: 200, headers: { ...none, Vary: 'Authorization, Recto-Tenant, Origin' } },
  });
  ofOne('no origin', {
    request: 'GET /sync',
    expect: { status: 200, headers: { ...none, Vary: 'Authorization, Recto-Tenant, Origin' } },
  });
  ofOne('problems can be read', {
    request: 'GET /broken',
    headers: origin('https://a.example'),
    expect: { status: 500, headers: { 'Access-Control-Allow-Origin': 'https://a.example' } },
  });
  ofOne('a preflight', {
    request: 'OPTIONS /pages/x',
    headers: preflight,
    expect: {
      status: 204,
      headers: {
        'Access-Control-Allow-Origin': 'https://b.example',
        'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS, PATCH, PUT',
        'Access-Control-Allow-Headers': /Authorization, Content-Type, Idempotency-Key, If-Match/,
      },
    },
  });
  ofOne('a preflight of another origin', {
    request: 'OPTIONS /pages/x',
    headers: { ...preflight, Origin: 'null' },
    expect: { status: 204, headers: none },
  });
  ofAll('all origins', {
    request: 'GET /sync',
    headers: origin('https://b.example'),
    expect: {
      status: 200,
      headers: {
        'Access-Control-Allow-Origin': '*',
        'Access-Control-Allow-Credentials': null,
        Vary: 'Authorization, Recto-Tenant',
      },
    },
  });
  ofAll('a preflight of any origin', {
    request: 'OPTIONS /pages/x',
    headers: preflight,
    expect: { status: 204, headers: { 'Access-Control-Allow-Methods': /PUT/ } },
  });
});
