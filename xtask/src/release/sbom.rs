//! Lists the contents of the release: each crate that is compiled into it, with version, licence
//! and checksum, in CycloneDX's format.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{Release, VERSION, write};
use crate::Outcome;
use crate::build::PACKAGES;
use crate::tools::{cargo, output, read, root, step};

/// Writes the list.
pub fn make(release: &Release) -> Outcome {
    step("the list of what is in it");
    let text = output(cargo().args([
        "metadata",
        "--locked",
        "--format-version=1",
        "--filter-platform=x86_64-unknown-linux-gnu",
    ]))?;
    let metadata: Value =
        serde_json::from_str(&text).map_err(|error| format!("cargo's metadata: {error}"))?;
    let sums = checksums(&read(&root().join("Cargo.lock"))?);
    let list = list(&metadata, &sums);
    let text = serde_json::to_string_pretty(&list).map_err(|error| error.to_string())?;
    write(&release.out.join(format!("omphalos-{VERSION}.cdx.json")), &(text + "\n"))
}

fn list(metadata: &Value, sums: &BTreeMap<(String, String), String>) -> Value {
    let nodes: BTreeMap<&str, &Value> =
        array(&metadata["resolve"]["nodes"]).map(|node| (text(&node["id"]), node)).collect();
    let packages: BTreeMap<&str, &Value> =
        array(&metadata["packages"]).map(|package| (text(&package["id"]), package)).collect();
    let mut found = BTreeSet::new();
    let mut left: Vec<&str> = packages
        .iter()
        .filter(|(_, package)| PACKAGES.contains(&text(&package["name"])))
        .map(|(id, _)| *id)
        .collect();
    let mut depend = BTreeMap::new();
    while let Some(id) = left.pop() {
        if !found.insert(id) {
            continue;
        }
        let needed: BTreeSet<&str> = nodes.get(id).map_or_else(BTreeSet::new, |node| needs(node));
        left.extend(&needed);
        depend.insert(id, needed);
    }
    let reference = |id: &str| packages.get(id).map(|package| purl(package)).unwrap_or_default();
    let components: Vec<Value> =
        found.iter().filter_map(|id| packages.get(id)).map(|of| component(of, sums)).collect();
    let dependencies: Vec<Value> = depend
        .iter()
        .map(|(id, needed)| {
            let needed: Vec<String> = needed.iter().map(|id| reference(id)).collect();
            json!({ "ref": reference(id), "dependsOn": needed })
        })
        .collect();
    json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": { "component": {
            "type": "application",
            "bom-ref": "omphalos-release",
            "name": "omphalos",
            "version": VERSION,
            "licenses": [{ "expression": "Apache-2.0 OR MIT" }],
        } },
        "components": components,
        "dependencies": dependencies,
    })
}

/// Returns the packages that are compiled into a package, without those that only its tests or its
/// build need.
fn needs(node: &Value) -> BTreeSet<&str> {
    array(&node["deps"])
        .filter(|needed| array(&needed["dep_kinds"]).any(|kind| kind["kind"].is_null()))
        .map(|needed| text(&needed["pkg"]))
        .collect()
}

fn component(package: &Value, sums: &BTreeMap<(String, String), String>) -> Value {
    let (name, version) = (text(&package["name"]), text(&package["version"]));
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": name,
        "version": version,
        "purl": purl(package),
    });
    if let Some(licence) = package["license"].as_str() {
        // Old crates write `/` where the standard has `OR`.
        let expression = licence.replace('/', " OR ");
        component["licenses"] = json!([{ "expression": expression }]);
    }
    if let Some(sum) = sums.get(&(name.to_owned(), version.to_owned())) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": sum }]);
    }
    component
}

fn purl(package: &Value) -> String {
    format!("pkg:cargo/{}@{}", text(&package["name"]), text(&package["version"]))
}

/// Returns the checksums in `Cargo.lock`, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let field = |part: &str, name: &str| {
        let line = part.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim_start_matches([' ', '=']).trim_matches('"').to_owned())
    };
    lock.split("[[package]]")
        .filter_map(|part| {
            let of = (field(part, "name")?, field(part, "version")?);
            Some((of, field(part, "checksum")?))
        })
        .collect()
}

fn array(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_need_is_not_in_it() {
        let metadata = json!({
            "packages": [
                { "id": "o", "name": "omphalos", "version": "1.0.0", "license": "MIT/Zlib" },
                { "id": "a", "name": "a", "version": "1.2.3" },
                { "id": "t", "name": "t", "version": "1.0.0" },
            ],
            "resolve": { "nodes": [
                { "id": "o", "deps": [
                    { "pkg": "a", "dep_kinds": [{ "kind": null }] },
                    { "pkg": "t", "dep_kinds": [{ "kind": "dev" }, { "kind": "build" }] },
                ] },
                { "id": "a", "deps": [] },
            ] },
        });
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.2.3\"\nchecksum = \"abc\"\n";
        let list = list(&metadata, &checksums(lock));
        let names: Vec<_> = array(&list["components"]).map(|part| text(&part["name"])).collect();
        assert_eq!(names, ["a", "omphalos"]);
        assert_eq!(list["components"][0]["hashes"][0]["content"], "abc");
        assert_eq!(list["components"][1]["licenses"][0]["expression"], "MIT OR Zlib");
    }
}
