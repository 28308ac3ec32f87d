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
import type { DocumentedOperation } from '../../support/openapi/openapi-reader.ts';
import { bodyChanges } from '../../support/openapi/openapi-requests.ts';
import { randomCases } from '../../support/random-cases.ts';

// What a request may be is decided before any database is asked.

/** The same requests each time. A failure prints the seed and the path of its run. */
const seed = Number(process.env.RECTO_TEST_SEED ?? 20_261_122);

const world = await openApiWorld();
const { service, reader } = world;
afterAll(() => service.database.close());

/** Of records, `openapi-bodies.test.ts` looks at more bodies, with records to relate to. */
const isOfRecord = ({ bodySchema, operationId }: DocumentedOperation): boolean =>
  /(Create|Update)$/.test(bodySchema?.$ref ?? '') || operationId === 'addReleaseItem';

describe('the body of a request is taken as the document describes it', () => {
  test.each(
    named(openOperations(reader).filter((operation) => operation.bodySchema !== undefined && !isOfRecord(operation))),
  )(
    '%s',
    async (_, operation) => {
      let call: Call | undefined;
      let accepted = 0;
      await fc.assert(
        fc.asyncProperty(bodyChanges(reader, operation), async (changes) => {
          call ??= await successCall(world, operation);
          // As it travels: what is undefined is left out.
          const body = JSON.parse(JSON.stringify({ ...Object(call.body), ...changes }));
          const reply = await sendWith(service, operation, { ...call, body }, { query: [], headers: {} });
          const faulty = reader.faultyMembers(operation.bodySchema ?? {}, body);
          if (expectAgreement(reader, operation, { query: [], headers: {} }, faulty, reply)) accepted += 1;
          if (!isMalformed(reply)) call = undefined;
        }),
        { seed, numRuns: randomCases(60) },
      );
      expect(accepted).toBeGreaterThan(0);
    },
    600_000,
  );
});
