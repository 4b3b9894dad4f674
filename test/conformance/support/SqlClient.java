import java.math.BigDecimal;
import java.sql.*;
import java.util.Properties;

/** Reads reports through PostgreSQL's JDBC driver, and prints what it found, one fact a line. */
public class SqlClient {
  static final String QUERY =
      "SELECT line_item_name, date_trunc('day', time) AS day, MEASURE(impressions) AS shown, MEASURE(revenue) AS revenue, npa"
          + " FROM delivery WHERE time >= ? AND time < ? AND country IN (?, ?) GROUP BY 1, 2, 5 ORDER BY 3 DESC, 1 LIMIT ?";

  public static void main(String[] args) throws Exception {
    Properties options = new Properties();
    options.put("user", "analyst");
    options.put("password", System.getenv("PGPASSWORD"));
    options.put("sslmode", "require");
    try (Connection connection = DriverManager.getConnection(args[0], options)) {
      DatabaseMetaData meta = connection.getMetaData();
      try (ResultSet found = meta.getTables(null, "public", "%", new String[] {"TABLE"})) {
        while (found.next()) System.out.println("table " + found.getString("TABLE_NAME"));
      }
      try (ResultSet found = meta.getColumns(null, "public", "delivery", "%")) {
        while (found.next()) {
          System.out.println("column " + found.getString("COLUMN_NAME") + " " + found.getString("TYPE_NAME"));
        }
      }
      try (ResultSet found = meta.getPrimaryKeys(null, "public", "delivery")) {
        System.out.println("key " + found.next());
      }
      try (ResultSet found = meta.getImportedKeys(null, "public", "delivery")) {
        System.out.println("key " + found.next());
      }
      connection.setReadOnly(true);
      connection.setAutoCommit(false);
      long today = System.currentTimeMillis() / 86_400_000L * 86_400_000L;
      for (int round = 0; round < 8; round++) read(connection, today);
      connection.commit();
      connection.setAutoCommit(true);
      try (Statement statement = connection.createStatement()) {
        statement.executeUpdate("DELETE FROM delivery");
      } catch (SQLException error) {
        System.out.println("write " + error.getSQLState());
      }
    }
  }

  static void read(Connection connection, long today) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(QUERY)) {
      // Portions of two rows.
      statement.setFetchSize(2);
      statement.setTimestamp(1, new Timestamp(today - 7L * 86_400_000L));
      statement.setTimestamp(2, new Timestamp(today));
      statement.setString(3, "PL");
      statement.setString(4, "DE");
      statement.setInt(5, 5);
      int count = 0;
      String last = "";
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          count += 1;
          BigDecimal revenue = rows.getBigDecimal(4);
          last = rows.getString(1) + " " + rows.getTimestamp(2) + " " + rows.getLong(3) + " " + revenue + " " + rows.getBoolean(5);
        }
      }
      System.out.println("rows " + count + " " + last);
    }
  }
}
