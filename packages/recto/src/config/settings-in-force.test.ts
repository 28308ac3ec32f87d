import { expect, test } from 'bun:test';
import { readSettings } from './settings.ts';
import { settingsInForce } from './settings-in-force.ts';

test('no secret is among the settings in force, wherever it was set', async () => {
  const secrets = {
    RECTO_SECRET: 'a-secret-of-thirty-two-characters',
    RECTO_ADMIN_PASSWORD: 'correct horse battery',
    RECTO_DATABASE_URL: 'postgres://ada:hunter2@db.example:5432/recto',
    RECTO_DATABASE_REPLICA_URLS: 'postgres://ada:hunter2@standby.example:5432/recto',
    RECTO_DATABASE_LISTEN_URL: 'postgres://ada:hunter2@direct.example:5432/recto',
  };
  const settings = readSettings({
    ...secrets,
    RECTO_ADMIN_EMAIL: 'ada@example.com',
    RECTO_PORT: '8080',
    RECTO_STORAGE_URL: 's3://bucket/site?endpoint=https://s3.example.com',
  });
  const listed = settingsInForce(settings);
  for (const { name, value, set, secret, source } of listed) {
    if (name in secrets)
      expect({ name, value, set, secret, source }).toMatchObject({ value: null, set: true, source: 'environment' });
  }
  expect(listed.find(({ name }) => name === 'RECTO_PORT')).toMatchObject({ value: '8080', source: 'environment' });
  const text = JSON.stringify({ listed, given: settings.given });
  for (const part of [...Object.values(secrets), 'correct horse']) expect(text).not.toContain(part);
  expect(text).not.toContain('hunter2');
  expect(listed.find(({ name }) => name === 'RECTO_STORAGE_URL')?.value).toBe('s3://bucket/site?…');
});
