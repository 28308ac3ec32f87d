import { isTable, type Table } from '../../values/json-table.ts';
import type { JsonValue } from '../../values/value-kind.ts';
import type { Report } from '../report.ts';
import { type RuleNames, raisfastRule } from './raisfast-rule.ts';

const ownRecords = 'created_by = @request.auth.id';

interface ApiSurroundings extends RuleNames {
  readonly report: Report;
  /** Where a part of `api` is written. */
  placeOf(path: string): string;
  readonly isOwnable: boolean;
  readonly isSingle: boolean;
}

/** Endpoints whose access is a different one in different versions of RaisFast where a file does not say it. */
const ambiguous = ['list', 'get', 'update'];

/** `[api.*]` with the access levels and rules of this service. */
export function raisfastApi(api: JsonValue | undefined, around: ApiSurroundings): JsonValue | undefined {
  const { report, placeOf, isSingle } = around;
  const endpoints = api === undefined ? {} : api;
  if (!isTable(endpoints)) return api;
  for (const name of ambiguous) {
    const written = endpoints[name];
    if ((isSingle && name === 'list') || (isTable(written) && written.access !== undefined)) continue;
    report(
      placeOf(name),
      `nothing says who may ${name}, and versions of RaisFast differ in what that means`,
      `write access = "public", "member", "owner" or "admin" below [api.${name}]`,
    );
  }
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, written]) => [
      name,
      isTable(written) ? raisfastEndpoint(name, written, around) : written,
    ]),
  );
}

function raisfastEndpoint(name: string, written: Table, around: ApiSurroundings): Table {
  const { report, placeOf, isOwnable } = around;
  const rules = Object.fromEntries(
    ['filter', 'filter_auth'].flatMap((option) => {
      const rule = written[option];
      return typeof rule === 'string' ? [[option, raisfastRule(rule, around)]] : [];
    }),
  );
  const endpoint = { ...written, ...rules };
  if (written.access === 'authed') return { ...endpoint, access: 'member' };
  if (written.access !== 'owner') return endpoint;
  // A new record belongs to whoever creates it.
  if (name === 'create') return { ...endpoint, access: 'member' };
  if (!isOwnable) {
    report(placeOf(`${name}.access`), 'records have no owner', 'write implements = ["ownable"], or access = "member"');
    return { ...endpoint, access: 'none' };
  }
  const own = Object.entries(rules).map(([option, rule]) => [option, `(${rule}) && ${ownRecords}`]);
  return { ...endpoint, access: 'member', ...(own.length === 0 ? { filter: ownRecords } : Object.fromEntries(own)) };
}
