import type { Node, RangeFunction, SelectStmt } from 'libpg-query';
import { asKind, namesOf, visit } from '../parse/nodes.ts';
import { SQLSTATE, SqlError, unsupported } from '../wire/sql-error.ts';

/** The functions that tools use to read catalogs. None of them makes large values, reads files, or changes anything. */
const ALLOWED: ReadonlySet<string> = new Set(
  `abs acldefault aclexplode age any_value array_agg array_length array_lower array_position array_remove
  array_to_string array_upper avg bool_and bool_or btrim cardinality char_length coalesce col_description concat
  concat_ws count current_catalog current_database current_role current_schema current_schemas current_setting
  current_user date_part date_trunc dense_rank every extract first_value floor format_type generate_subscripts
  getdatabaseencoding greatest has_any_column_privilege has_column_privilege has_database_privilege
  has_function_privilege has_schema_privilege has_sequence_privilege has_table_privilege has_type_privilege
  inet_client_addr inet_server_addr inet_server_port information_schema_catalog_name json_agg json_build_object
  jsonb_agg jsonb_build_object lag last_value lead least left length lower ltrim max min mod mxid_age now nullif
  obj_description octet_length oidvectortypes parse_ident pg_available_extensions pg_backend_pid pg_char_to_encoding
  pg_client_encoding pg_collation_is_visible pg_column_is_updatable pg_conf_load_time pg_conversion_is_visible
  pg_database_size pg_describe_object pg_encoding_to_char pg_function_is_visible pg_get_constraintdef pg_get_expr
  pg_get_function_arguments pg_get_function_identity_arguments pg_get_function_result pg_get_function_sqlbody
  pg_get_functiondef pg_get_indexdef pg_get_keywords pg_get_partition_constraintdef pg_get_partkeydef pg_get_ruledef
  pg_get_serial_sequence pg_get_statisticsobjdef_columns pg_get_triggerdef pg_get_userbyid pg_get_viewdef pg_has_role
  pg_identify_object pg_indexes_size pg_is_in_recovery pg_is_other_temp_schema pg_listening_channels pg_my_temp_schema
  pg_opclass_is_visible pg_operator_is_visible pg_opfamily_is_visible pg_options_to_table pg_partition_ancestors
  pg_partition_root pg_partition_tree pg_postmaster_start_time pg_relation_is_publishable pg_relation_is_updatable
  pg_relation_size pg_sequence_parameters pg_size_pretty pg_stat_get_numscans pg_statistics_obj_is_visible
  pg_table_is_visible pg_table_size pg_tablespace_location pg_tablespace_size pg_timezone_names pg_total_relation_size
  pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible
  position quote_ident quote_literal rank replace right round row_number row_to_json rtrim session_user
  shobj_description split_part starts_with string_agg string_to_array strpos substr substring sum to_char to_regclass
  to_regnamespace to_regtype translate trim ts_token_type txid_current unnest upper user version _pg_char_max_length
  _pg_char_octet_length _pg_datetime_precision _pg_expandarray _pg_index_position _pg_interval_type
  _pg_numeric_precision _pg_numeric_precision_radix _pg_numeric_scale _pg_truetypid _pg_truetypmod`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Numbers of one series. */
const SERIES_MAX = 1_000;

/** generate_series() over the positions of an array or a number of settings, as psql and JDBC write it: never a long one. */
function isSeriesOfArray(name: string, content: Record<string, unknown>): boolean {
  const [first, last] = (content['args'] as Node[] | undefined) ?? [];
  const from = asKind(first, 'A_Const')?.ival;
  const isFromStart = from !== undefined && (from.ival ?? 0) >= 0;
  const isFromArray = namesOf(asKind(first, 'FuncCall')?.funcname).at(-1) === 'array_lower';
  if (name !== 'generate_series' || (!isFromStart && !isFromArray)) return false;
  const end = asKind(last, 'TypeCast')?.arg ?? last;
  const count = asKind(end, 'A_Const')?.ival;
  if (count !== undefined) return (count.ival ?? 0) <= SERIES_MAX;
  const call = namesOf(asKind(end, 'FuncCall')?.funcname).at(-1) ?? '';
  return ['array_upper', 'array_length', 'current_setting'].includes(call);
}

/** format() with a text that names no width: it could be a long one. */
function isShortFormat(name: string, content: Record<string, unknown>): boolean {
  const text = asKind((content['args'] as Node[] | undefined)?.[0], 'A_Const')?.sval?.sval;
  return name === 'format' && text !== undefined && !/[\d*]/.test(text);
}

/** Fields of the composite values that allowed functions make. */
const COMPOSITE_FIELDS: ReadonlySet<string> = new Set(
  `alias baredesc barelabel cache_size catcode catdesc comment cycle_option data_type default_version description
  grantee grantor increment is_grantable isleaf level maximum_value minimum_value n option_name option_value
  ordinality parentrelid privilege_type relid start_value tokid word x`.split(/\s+/),
);

/** `value.name` and `(value).name` call the function of that name where the value has no such field. */
function checkField(name: string, known: ReadonlySet<string>): void {
  if (ALLOWED.has(name) || COMPOSITE_FIELDS.has(name) || known.has(name)) return;
  throw unsupported(
    `The field or function .${name} of a value in a catalog query`,
    'Read the catalog tables themselves.',
  );
}

/**
 * Columns of the functions in FROM, by their names: such a name stands for the value itself, whose fields may be functions. A name that
 * several functions have, has the columns that all of them have.
 */
function columnsOfFunctions(statement: SelectStmt): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, ReadonlySet<string>>();
  visit(statement, (kind, content) => {
    if (kind !== 'RangeFunction') return;
    const { functions: calls = [], alias, coldeflist = [] } = content as RangeFunction;
    const called = calls.map((call) => asKind(asKind(call, 'List')?.items?.[0], 'FuncCall')?.funcname);
    const names = alias?.aliasname === undefined ? called.map((one) => namesOf(one).at(-1) ?? '') : [alias.aliasname];
    const defined = coldeflist.map((column) => asKind(column, 'ColumnDef')?.colname ?? '');
    for (const name of names) {
      const columns = new Set([name, ...namesOf(alias?.colnames), ...defined]);
      found.set(name, found.get(name)?.intersection(columns) ?? columns);
    }
  });
  return found;
}

/** Tables in one catalog query; the largest of psql's own has about ten. */
const TABLES_MAX = 40;

const NO_COLUMNS: ReadonlySet<string> = new Set();

/** @throws SqlError unless a catalog query holds only what catalog queries of tools hold */
export function checkCatalogQuery(statement: SelectStmt): void {
  let tables = 0;
  const ofFunctions = columnsOfFunctions(statement);
  visit(statement, (kind, content) => {
    if (kind === 'RangeVar') tables += 1;
    if (kind === 'WithClause' && content['recursive'] === true) {
      throw unsupported('WITH RECURSIVE', 'Read the catalog tables themselves.');
    }
    if (kind === 'A_Indirection') {
      for (const field of (content['indirection'] as Node[] | undefined) ?? []) {
        const name = asKind(field, 'String')?.sval;
        if (name !== undefined) checkField(name, NO_COLUMNS);
      }
    }
    if (kind === 'ColumnRef') {
      const [of = '', name = ''] = namesOf(content['fields'] as Node[] | undefined).slice(-2);
      const columns = ofFunctions.get(of);
      if (columns !== undefined && name !== '') checkField(name, columns);
    }
    if (kind === 'FuncCall') {
      const name = namesOf(content['funcname'] as Node[] | undefined).at(-1) ?? '';
      if (!ALLOWED.has(name) && !isSeriesOfArray(name, content) && !isShortFormat(name, content)) {
        throw unsupported(`The function ${name}() in a catalog query`, 'Read the catalog tables themselves.');
      }
    }
  });
  if (tables > TABLES_MAX) {
    throw new SqlError(SQLSTATE.tooComplex, `A catalog query reads at most ${TABLES_MAX} tables.`);
  }
}
