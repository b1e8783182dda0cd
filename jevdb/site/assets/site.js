// Tables that sort, filter and count. Without this script they are plain tables.
"use strict";

(() => {
  const collator = new Intl.Collator("en", { numeric: true });
  const MOST_CHOICES = 80;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };

  const sortValue = (cell) => {
    if (cell.dataset.v !== undefined) return Number(cell.dataset.v);
    const text = cell.textContent.trim();
    if (text === "" || text === "–" || text === "N/A") return null;
    const value = Number(text);
    return Number.isNaN(value) ? text : value;
  };

  const group = (cell) =>
    (cell.dataset.g === undefined ? cell.textContent : cell.dataset.g).trim();

  const compare = (one, two) =>
    typeof one === "number" && typeof two === "number"
      ? one - two
      : collator.compare(String(one), String(two));

  // The state of the page stands behind the #, so that a link keeps it.
  const readState = () => {
    const text = location.hash.slice(1);
    return text.includes("=") ? new URLSearchParams(text) : new URLSearchParams();
  };

  const writeState = (state) => {
    const text = state.toString();
    history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
  };

  const sortable = (table, onSort) => {
    const heads = [...table.tHead.rows[0].cells];
    const body = table.tBodies[0];
    const sort = (column, direction) => {
      const rows = [...body.rows].map((row, place) => ({
        row,
        place,
        value: sortValue(row.cells[column]),
      }));
      rows.sort((one, two) => {
        if (one.value === null || two.value === null) {
          return (one.value === null) - (two.value === null) || one.place - two.place;
        }
        return direction * compare(one.value, two.value) || one.place - two.place;
      });
      body.append(...rows.map(({ row }) => row));
      heads.forEach((head, place) => {
        if (place === column) {
          head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        } else {
          head.removeAttribute("aria-sort");
        }
      });
    };
    heads.forEach((head, column) => {
      if (head.textContent.trim() === "" || head.querySelector(":scope > .hidden:only-child")) {
        return;
      }
      const button = element("button", { type: "button", class: "sort" });
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const now = head.getAttribute("aria-sort");
        const first = Number(head.dataset.first || 1);
        const direction = now ? (now === "ascending" ? -1 : 1) : first;
        sort(column, direction);
        onSort(column, direction);
      });
    });
    return sort;
  };

  const choices = (rows, column) => {
    const found = new Set(rows.map((row) => group(row.cells[column])));
    found.delete("");
    return [...found].sort(collator.compare);
  };

  const selectOf = (label, options, name) => {
    const select = element("select", { name });
    select.append(element("option", { value: "" }, "all"));
    select.append(...options.map((option) => element("option", { value: option }, option)));
    return [element("label", {}, element("span", {}, label), select), select];
  };

  // A filter is a word in the state, a control, and which rows a choice keeps.
  const columnFilters = (table, rows) =>
    [...table.tHead.rows[0].cells].flatMap((head, column) => {
      if (head.dataset.filter === undefined) return [];
      const options = choices(rows, column);
      if (options.length < 2 || options.length > MOST_CHOICES) return [];
      const name = head.dataset.filter.toLowerCase();
      const words = name.charAt(0).toUpperCase() + name.slice(1);
      const [label, control] = selectOf(words, options, name);
      const keeps = (row, choice) => group(row.cells[column]) === choice;
      return [{ name, label, control, keeps }];
    });

  const placeFilters = (table) => {
    if (table.dataset.places === undefined) return [];
    const places = JSON.parse(table.dataset.places);
    const all = Object.values(places).flat();
    const unique = (values) => [...new Set(values)].sort(collator.compare);
    const [rowLabel, rowControl] = selectOf("Report row", unique(all.map(([row]) => row)), "row");
    const subsets = unique(all.map(([, subset]) => subset));
    if (subsets.some((subset) => subset.startsWith("ece_"))) subsets.push("ece_*");
    const [subsetLabel, subsetControl] = selectOf("Counts in", subsets, "subset");
    const stands = (row, choice, subset) => {
      const type = row.dataset.type || "";
      const wanted = subset === "ece_*" ? `ece_${type}` : subset;
      return (places[row.dataset.s] || []).some(
        ([one, two]) => (choice === "" || one === choice) && (wanted === "" || two === wanted),
      );
    };
    return [
      {
        name: "row",
        label: rowLabel,
        control: rowControl,
        keeps: (row, choice) => stands(row, choice, subsetControl.value),
      },
      {
        name: "subset",
        label: subsetLabel,
        control: subsetControl,
        keeps: (row, choice) => stands(row, rowControl.value, choice),
      },
    ];
  };

  const means = (table) => {
    const columns = [...table.tHead.rows[0].cells].flatMap((head, column) =>
      head.dataset.mean === undefined ? [] : [column],
    );
    if (columns.length === 0) return () => {};
    const row = table.createTFoot().insertRow();
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const cell = element(column === 0 ? "th" : "td", { class: head.className });
      if (column === 0) {
        cell.setAttribute("scope", "row");
        cell.textContent = "Mean of the rows shown";
      }
      row.append(cell);
    });
    return (shown) => {
      for (const column of columns) {
        const values = shown
          .map((each) => sortValue(each.cells[column]))
          .filter((value) => value !== null);
        const total = values.reduce((sum, value) => sum + value, 0);
        row.cells[column].textContent = values.length ? (total / values.length).toFixed(4) : "";
      }
    };
  };

  const filterable = (table, rows, state) => {
    const search = element("input", { type: "search", name: "q", autocomplete: "off" });
    const filters = [...placeFilters(table), ...columnFilters(table, rows)];
    const count = element("output", { class: "count" });
    const clear = element("button", { type: "button" }, "Show all");
    const noun = table.dataset.toolbar;
    const toolbar = element(
      "div",
      { class: "toolbar", role: "search" },
      element("label", {}, element("span", {}, "Find"), search),
      ...filters.map(({ label }) => label),
      clear,
      count,
    );
    const showMeans = means(table);
    const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
    const apply = () => {
      const words = search.value.toLowerCase().trim();
      const chosen = filters.filter(({ control }) => control.value !== "");
      const shown = rows.filter((row) => {
        const keeps =
          texts.get(row).includes(words) &&
          chosen.every(({ keeps: keep, control }) => keep(row, control.value));
        row.hidden = !keeps;
        return keeps;
      });
      count.textContent = `${shown.length} of ${rows.length} ${noun}`;
      clear.disabled = shown.length === rows.length && words === "" && chosen.length === 0;
      showMeans(shown);
    };
    const store = () => {
      for (const { name, control } of [{ name: "q", control: search }, ...filters]) {
        if (control.value === "") state.delete(name);
        else state.set(name, control.value);
      }
      writeState(state);
    };
    const restore = () => {
      search.value = state.get("q") || "";
      const kind = state.get("kind");
      if (kind !== null && !state.has("type")) state.set("type", kind);
      state.delete("kind");
      for (const { name, control } of filters) {
        const wanted = state.get(name) || "";
        const has = [...control.options].some((option) => option.value === wanted);
        control.value = has ? wanted : "";
      }
      apply();
    };
    toolbar.addEventListener("input", () => {
      apply();
      store();
    });
    clear.addEventListener("click", () => {
      search.value = "";
      for (const { control } of filters) control.value = "";
      apply();
      store();
      search.focus();
    });
    table.closest(".scroll").before(toolbar);
    return restore;
  };

  const keepStateInLinks = () => {
    document.addEventListener("click", (event) => {
      const link = event.target.closest(".switch a, .parts a");
      if (link && location.hash.includes("=")) link.hash = location.hash;
    });
  };

  const start = () => {
    let state = readState();
    const restores = [];
    for (const table of document.querySelectorAll("table.interactive")) {
      const rows = [...table.tBodies[0].rows];
      const isMain = table.dataset.toolbar !== undefined;
      const sort = sortable(table, (column, direction) => {
        if (!isMain) return;
        state.set("sort", `${column}.${direction > 0 ? "up" : "down"}`);
        writeState(state);
      });
      if (!isMain) continue;
      const filter = filterable(table, rows, {
        get: (name) => state.get(name),
        has: (name) => state.has(name),
        set: (name, value) => state.set(name, value),
        delete: (name) => state.delete(name),
        toString: () => state.toString(),
      });
      restores.push(() => {
        const [column, direction] = (state.get("sort") || "").split(".");
        if (direction && Number(column) < table.tHead.rows[0].cells.length) {
          sort(Number(column), direction === "up" ? 1 : -1);
        }
        filter();
      });
    }
    restores.forEach((restore) => restore());
    window.addEventListener("hashchange", () => {
      state = readState();
      restores.forEach((restore) => restore());
    });
    keepStateInLinks();
    document.documentElement.dataset.ready = "yes";
  };

  start();
})();
