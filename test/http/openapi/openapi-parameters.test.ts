// databases: sqlite:rest
import { afterAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  expectAgreement,
  isMalformed,
  named,
  openApiWorld,
  openOperations,
  sendWith,
} from '../../support/openapi/openapi-agreement.ts';
import { type Call, successCall } from '../../support/openapi/openapi-calls.ts';
import { sentParameters } from '../../support/openapi/openapi-requests.ts';
import { randomCases } from '../../support/random-cases.ts';

// What a request may be is decided before any database is asked.

/** The same requests each time. A failure prints the seed and the path of its run. */
const seed = Number(process.env.RECTO_TEST_SEED ?? 20_261_122);

const world = await openApiWorld();
const { service, reader } = world;
afterAll(() => service.database.close());

describe('the parameters of a request are taken as the document describes them', () => {
  const taking = openOperations(reader).filter(
    ({ operationId, parameters }) =>
      // What is made up opens no signed address.
      operationId !== 'getUserPicture' && parameters.some((each) => each.in !== 'path'),
  );
  test.each(named(taking))(
    '%s',
    async (_, operation) => {
      const reads = operation.method === 'GET';
      let call: Call | undefined;
      let accepted = 0;
      const agrees = fc.asyncProperty(sentParameters(reader, operation), async (sent) => {
        call ??= await successCall(world, operation);
        const reply = await sendWith(service, operation, call, sent);
        if (expectAgreement(reader, operation, sent, new Set(), reply)) accepted += 1;
        // What is malformed changes nothing, so that the next request finds what it needs.
        if (!reads && !isMalformed(reply)) call = undefined;
      });
      // Without an accepted request the property says nothing, and ten of them may all be refused by chance.
      for (let round = 0; round < 20 && accepted === 0; round += 1)
        await fc.assert(agrees, { seed: seed + round, numRuns: randomCases(reads ? 60 : 10) });
      expect(accepted).toBeGreaterThan(0);
    },
    600_000,
  );
});
