/** The drafts of JSON Schema that are read here, and which one a schema says it is written in. */

export type Dialect = "draft-04" | "draft-06" | "draft-07" | "2019-09" | "2020-12";

/** A dialect as a number, so that "since" and "until" are comparisons. */
export type Edition = 4 | 6 | 7 | 2019 | 2020;

const EDITIONS: Readonly<Record<Dialect, Edition>> = {
  "draft-04": 4,
  "draft-06": 6,
  "draft-07": 7,
  "2019-09": 2019,
  "2020-12": 2020,
};

export const editionOf = (dialect: Dialect): Edition => EDITIONS[dialect];

const META_SCHEMA = /^https?:\/\/json-schema\.org\/(?:draft\/)?(draft-0[467]|2019-09|2020-12)\/schema#?$/;

/** The edition that a `$schema` names; `undefined` when it names none of ours. */
export function declaredEdition(metaSchema: unknown): Edition | undefined {
  if (typeof metaSchema !== "string" || metaSchema.length > 100) return undefined;
  const dialect = META_SCHEMA.exec(metaSchema)?.[1];
  return dialect === undefined ? undefined : EDITIONS[dialect as Dialect];
}

/** Before 2019-09 a `$ref` stood alone: whatever stands beside it is not read. */
export const refStandsAlone = (edition: Edition): boolean => edition <= 7;
